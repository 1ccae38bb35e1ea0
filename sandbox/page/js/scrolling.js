// Where a list of messages rests: at the bottom, or at the last question when its answer is taller than the pane.

import { h, icon } from "./dom.js";

const NEAR_PX = 80;
const GAP_PX = 8;
const panes = new WeakMap(); // container -> {follow: "question" | "bottom" | "", set: the scrollTop that we chose}

const fromBottom = (container) => container.scrollHeight - container.scrollTop - container.clientHeight;

/** Follows new messages until the reader scrolls away; `mount` is the box above which "La suite" floats. */
export function watch(container, mount) {
  const pane = { follow: "question", set: 0 };
  const more = h("button", { type: "button", class: "more", hidden: true, onclick: () => {
    pane.follow = "bottom";
    container.scrollTo({ top: container.scrollHeight, behavior: "smooth" });
  } }, icon("arrow", 15), "La suite");
  mount.append(more);
  pane.check = () => { more.hidden = fromBottom(container) < NEAR_PX || !container.clientHeight; };
  container.addEventListener("scroll", () => {
    if (Math.abs(container.scrollTop - pane.set) > 4) pane.follow = fromBottom(container) < NEAR_PX ? "bottom" : "";
    pane.check();
  }, { passive: true });
  new ResizeObserver(() => (pane.follow ? settle(container) : pane.check())).observe(container);
  panes.set(container, pane);
}

export function follow(container) {
  panes.get(container).follow = "question";
}

/** To be called after the list changed. `data-anchor` selects the questions under which long answers are read. */
export function settle(container) {
  const pane = panes.get(container);
  if (pane.follow) {
    const question = pane.follow === "question" && [...container.querySelectorAll(container.dataset.anchor || ":not(*)")].at(-1);
    const top = question ? question.offsetTop - container.offsetTop - GAP_PX : Infinity;
    container.scrollTop = Math.min(top, container.scrollHeight);
    pane.set = container.scrollTop;
  }
  pane.check();
}
