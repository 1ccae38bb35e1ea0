// Native <dialog> windows: focus stays inside, Escape closes, and the reader returns where they were.

import { h, iconButton } from "./dom.js";
import { plain } from "./blocks.js";

/** Opens a dialog; `oncancel` is asked first when the reader presses Escape. */
export function openDialog({ label, className = "", oncancel }, ...children) {
  const dialog = h("dialog", { class: `dialog ${className}`, "aria-label": label }, ...children);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    oncancel?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function closeDialog(dialog) {
  dialog.close();
  dialog.remove();
}

/** Slack's confirm object {title, text, confirm, deny, style} -> Promise<boolean> */
export function askConfirm({ title, text, confirm, deny, style }) {
  return new Promise((resolve) => {
    const answer = (value) => {
      closeDialog(dialog);
      resolve(value);
    };
    const yes = h("button", { type: "button", class: `button ${style === "danger" ? "danger" : "primary"}`, onclick: () => answer(true) },
      plain(confirm) || "Oui");
    const no = h("button", { type: "button", class: "button", onclick: () => answer(false) }, plain(deny) || "Annuler");
    const dialog = openDialog({ label: plain(title) || "Confirmation", className: "confirm", oncancel: () => answer(false) },
      h("header", null, h("h2", null, plain(title) || "Êtes-vous sûr ?"), iconButton("close", "Fermer", () => answer(false))),
      h("div", { class: "dialog-body" }, plain(text)), h("footer", null, no, yes));
    yes.focus();
  });
}
