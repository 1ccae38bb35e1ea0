// Follows a conversation that plays by itself (`make demo`): goes where it is, shows what is being typed and why.

import { become, emit, go, store } from "./state.js";

const LETTER_MS = 28;
let writing = 0;

/** event: {caption, user, channel, thread, typed, home}; without a caption the demo is over. */
export function follow(event) {
  const caption = document.getElementById("caption");
  caption.hidden = !event.caption;
  caption.textContent = event.caption || "";
  if (!event.user) return;
  if (store.user !== event.user) {
    become(event.user);
    emit("user");
  }
  if (event.home) go("");
  else go(event.channel, event.thread);
  type(event.typed || "", event.thread);
}

/** Letter by letter into the box of that place; what the demo types is never sent by the page. */
function type(text, thread) {
  clearInterval(writing);
  const boxes = ["saisie", "saisie-fil"].map((id) => document.getElementById(id)).filter(Boolean);
  for (const other of boxes) {
    other.textContent = "";
    other.classList.add("is-empty");
  }
  const box = boxes[thread ? 1 : 0];
  if (!text || !box) return;
  let shown = 0;
  writing = setInterval(() => {
    shown += 1;
    box.textContent = text.slice(0, shown);
    box.classList.remove("is-empty");
    if (shown >= text.length) clearInterval(writing);
  }, LETTER_MS);
}
