// Views: the stack of modals, and the application's Home tab.

import { act, loadViews, send } from "./api.js";
import { plain, renderBlocks } from "./blocks.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { fill, h, iconButton } from "./dom.js";
import { makeForm } from "./form.js";
import { bot, on, store } from "./state.js";
import { toast } from "./toast.js";

const forms = new Map();
const formOf = (view) => {
  if (!forms.has(view.id)) forms.set(view.id, makeForm(view.id));
  return forms.get(view.id);
};

/** How an element of this view acts: a click that names the view instead of a message. */
function actor(view) {
  return async (element, value, block_id, extra) => {
    const values = formOf(view).values(view.blocks);
    await act("click", { user: store.user, view_id: view.id, action_id: element.action_id, block_id, value, values, ...extra });
    await loadViews();
  };
}

let shown = null; // {id, sign, dialog, errors}

function drawModal() {
  const view = store.views.modals.at(-1);
  const sign = view && JSON.stringify(view);
  if (!view) {
    if (shown) closeDialog(shown.dialog);
    shown = null;
    for (const id of forms.keys()) if (id !== store.views.home?.id) forms.delete(id);
    return;
  }
  if (shown?.id === view.id && shown.sign === sign) return;
  const errors = shown?.id === view.id ? shown.errors : {};
  if (!shown) shown = { dialog: openDialog({ label: plain(view.title), className: "modal", oncancel: () => closeTop() }) };
  shown = { ...shown, id: view.id, sign, errors };
  paintModal(view);
}

function paintModal(view) {
  const { dialog, errors } = shown;
  const ctx = { act: actor(view), form: formOf(view), errors };
  const form = h("form", { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    submit(view);
  } },
  h("header", null, h("h2", null, plain(view.title) || "Fenêtre"), iconButton("close", "Fermer", closeTop)),
  h("div", { class: "dialog-body" }, renderBlocks(view.blocks, ctx)),
  h("footer", null,
    h("span", { class: "origin" }, `Ouvert par ${bot().name}`),
    h("button", { type: "button", class: "button", onclick: closeTop }, plain(view.close) || "Fermer"),
    view.submit && h("button", { type: "submit", class: "button primary" }, plain(view.submit))));
  const focused = dialog.querySelector(":focus")?.id;
  fill(dialog, form);
  dialog.setAttribute("aria-label", plain(view.title));
  const target = (focused && document.getElementById(focused)) || dialog.querySelector("[aria-invalid]")
    || dialog.querySelector(".dialog-body input, .dialog-body textarea, .dialog-body select");
  target?.focus();
}

async function submit(view) {
  const button = shown.dialog.querySelector("[type=submit]");
  if (button?.classList.contains("busy")) return;
  button?.classList.add("busy");
  const answer = await act("submit", { user: store.user, view_id: view.id, values: formOf(view).values(view.blocks) });
  button?.classList.remove("busy");
  if (!answer || !shown) return;
  if (answer.error) toast(`Slack refuserait la fenêtre que l'application a rendue : ${answer.error.error || "vue invalide"}.`);
  shown.errors = answer.response_action === "errors" ? answer.errors || {} : {};
  if (Object.keys(shown.errors).length) paintModal(view);
  else await loadViews();
}

async function closeTop() {
  const view = store.views.modals.at(-1);
  if (view) await send("close", { user: store.user, view_id: view.id });
  await loadViews();
}

let homeSign = "";

function drawHome() {
  const home = document.getElementById("home");
  if (store.channel || !store.workspace) return;
  const view = store.views.home;
  const sign = JSON.stringify([store.user, view]);
  if (sign === homeSign) return;
  homeSign = sign;
  if (!view) {
    fill(home, h("div", { class: "empty" }, h("h2", null, "Accueil"),
      h("p", null, `${bot().name} n'a pas encore publié sa page d'accueil. Elle apparaît ici dès que l'application est en ligne.`)));
    return;
  }
  fill(home, h("div", { class: "home-page" }, renderBlocks(view.blocks, { act: actor(view), form: formOf(view) })));
}

export function startViews() {
  on("views", drawModal);
  on("views place workspace", drawHome);
}
