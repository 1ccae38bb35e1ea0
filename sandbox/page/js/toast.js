// Small notices at the bottom of the page: errors of the page itself, and confirmations of what it did.

import { h } from "./dom.js";

const SHOWN_MS = 6000;

export function toast(text, kind = "error") {
  const shelf = document.getElementById("toasts");
  if ([...shelf.children].some((shown) => shown.firstChild?.textContent === text)) return;
  const close = () => node.remove();
  const node = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" },
    h("span", null, text), h("button", { type: "button", "aria-label": "Fermer ce message", onclick: close }, "×"));
  shelf.append(node);
  setTimeout(close, SHOWN_MS);
}
