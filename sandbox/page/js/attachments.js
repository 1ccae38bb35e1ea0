// Files on their way into a message: chosen, dropped or pasted, shown as chips until the message is sent.

import { fill, h, icon, iconButton } from "./dom.js";
import { toast } from "./toast.js";

const MOST_FILES = 10; // as in Slack
const MOST_BYTES = 100_000_000; // of what this page can hold in memory while it sends

/** 1234567 -> "1,2 Mo" */
export function weight(bytes) {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} Ko`;
  return `${(bytes / 1_000_000).toFixed(1).replace(".", ",").replace(",0", "")} Mo`;
}

/** tray: where the chips stand; changed(): called after each change. Returns {button, any(), add(), take(), clear()}. */
export function makeAttachments(tray, changed) {
  let files = [];
  const input = h("input", { type: "file", multiple: true, class: "sr-only", tabindex: "-1", "aria-hidden": "true" });
  const button = iconButton("clip", "Joindre des fichiers", () => input.click());
  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });

  function draw() {
    fill(tray, files.map((file) => h("span", { class: "file-chip" }, icon("file", 16), h("span", { class: "file-name" }, file.name), h("small", null, weight(file.size)),
      iconButton("close", `Ne pas joindre ${file.name}`, () => {
        files = files.filter((other) => other !== file);
        draw();
      }))));
    tray.hidden = !files.length;
    changed();
  }

  function add(given) {
    const fresh = [...given].filter((file) => file.size <= MOST_BYTES);
    if (fresh.length < given.length) toast(`Le bac à sable prend des fichiers de ${weight(MOST_BYTES)} au plus.`);
    if (files.length + fresh.length > MOST_FILES) toast(`Slack prend ${MOST_FILES} fichiers par message.`);
    files = [...files, ...fresh].slice(0, MOST_FILES);
    draw();
  }

  /** What POST /sandbox/say takes. */
  const take = () => Promise.all(files.map(async (file) => ({ name: file.name, mimetype: file.type, content_base64: await base64(file) })));

  const clear = () => {
    files = [];
    draw();
  };
  return { button: [button, input], any: () => files.length > 0, add, take, clear };
}

function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).split(",")[1] || ""));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

/** Files dropped anywhere on the pane go to its message box; dragging shows where they will land. */
export function dropZone(pane, add) {
  let depth = 0;
  const carriesFiles = (event) => [...(event.dataTransfer?.types || [])].includes("Files");
  const over = (on) => pane.classList.toggle("dropping", on);
  pane.addEventListener("dragenter", (event) => { if (carriesFiles(event)) over(++depth > 0); });
  pane.addEventListener("dragleave", (event) => { if (carriesFiles(event)) over((depth = Math.max(0, depth - 1)) > 0); });
  pane.addEventListener("dragover", (event) => { if (carriesFiles(event)) event.preventDefault(); });
  pane.addEventListener("drop", (event) => {
    depth = 0;
    over(false);
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    add(event.dataTransfer.files);
  });
}
