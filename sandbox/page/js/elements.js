// Interactive Block Kit elements: each becomes a native control, so that keyboards and screen readers work.

import { plain } from "./blocks.js";
import { askConfirm } from "./dialogs.js";
import { h, icon, iconButton } from "./dom.js";
import { safeUrl } from "./mrkdwn.js";
import { nameOf, store, users } from "./state.js";

/** ctx: see renderBlocks, plus {blockId, id?, label?, invalid?, dispatch}. Unknown elements stay visible. */
export function control(element, ctx) {
  const draw = element && CONTROLS[element.type];
  if (!draw) return h("span", { class: "unknown" }, `Élément « ${element?.type || "vide"} » non dessiné ici`);
  return draw(element, ctx);
}

const TEXT_TYPES = { plain_text_input: "text", email_text_input: "email", url_text_input: "url", number_input: "number" };

const CONTROLS = {
  button, overflow, feedback_buttons, icon_button, workflow_button: button,
  static_select: select, external_select: select, users_select: select, conversations_select: select, channels_select: select,
  multi_static_select: boxes, multi_users_select: boxes, multi_conversations_select: boxes, multi_channels_select: boxes,
  multi_external_select: boxes, checkboxes: boxes, radio_buttons: boxes,
  plain_text_input: textInput, email_text_input: textInput, url_text_input: textInput, number_input: textInput,
  rich_text_input: textInput, datepicker: picker("date", "initial_date"), timepicker: picker("time", "initial_time"),
};

/** Asks Slack's confirm question if there is one, then acts while the control shows that it is busy. */
async function perform(node, element, value, ctx, extra = {}) {
  if (element.confirm && !(await askConfirm(element.confirm))) return false;
  node.classList.add("busy");
  node.setAttribute("aria-busy", "true");
  try {
    await ctx.act(element, value, ctx.blockId, extra);
  } finally {
    node.classList.remove("busy");
    node.removeAttribute("aria-busy");
  }
  return true;
}

function button(element, ctx) {
  const url = element.url && safeUrl(element.url);
  const label = h("span", null, plain(element.text));
  const props = { class: `button ${element.style || ""}`, "aria-label": element.accessibility_label, data: { actionId: element.action_id || "" } };
  if (url) {
    const anchor = h("a", { ...props, href: url, target: "_blank", rel: "noopener noreferrer" }, label);
    anchor.addEventListener("click", () => perform(anchor, { ...element, confirm: null }, element.value, ctx));
    return anchor;
  }
  const node = h("button", { ...props, type: "button" }, label);
  node.addEventListener("click", () => node.classList.contains("busy") || perform(node, element, element.value, ctx));
  return node;
}

function icon_button(element, ctx) {
  const node = iconButton(element.icon === "trash" ? "trash" : "more", plain(element.text) || "Action", () => perform(node, element, element.value, ctx));
  node.dataset.actionId = element.action_id || "";
  return node;
}

function feedback_buttons(element, ctx) {
  const one = (side, glyph, fallback) => {
    const label = side?.accessibility_label || plain(side?.text) || fallback;
    const node = h("button", { type: "button", class: "icon-button feedback", "aria-label": label, title: label, "aria-pressed": "false",
      data: { actionId: element.action_id || "" } }, icon(glyph, 16));
    node.addEventListener("click", async () => {
      await perform(node, element, side?.value, ctx);
      for (const sibling of node.parentNode.children) sibling.setAttribute("aria-pressed", String(sibling === node));
    });
    return node;
  };
  return h("span", { class: "feedback-pair" }, one(element.positive_button, "up", "Utile"), one(element.negative_button, "down", "Pas utile"));
}

function overflow(element, ctx) {
  const menu = h("div", { class: "menu", role: "menu" }, (element.options || []).map((option) =>
    h("button", { type: "button", role: "menuitem", onclick: () => {
      details.open = false;
      perform(details, element, option.value, ctx);
    } }, plain(option.text))));
  const details = h("details", { class: "overflow", data: { actionId: element.action_id || "" } },
    h("summary", { class: "icon-button", "aria-label": "Autres actions", title: "Autres actions" }, icon("more")), menu);
  details.addEventListener("toggle", () => details.open && settle(details, menu));
  details.addEventListener("focusout", (event) => { if (!details.contains(event.relatedTarget)) details.open = false; });
  details.addEventListener("keydown", (event) => { if (event.key === "Escape") { details.open = false; event.stopPropagation(); } });
  return details;
}

/** Puts an open menu beside its button and inside the window, whatever column clips its contents. */
function settle(anchor, menu) {
  const at = anchor.getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  const below = at.bottom + 4 + box.height <= window.innerHeight;
  menu.style.setProperty("--x", `${Math.max(8, Math.min(at.left, window.innerWidth - box.width - 8))}px`);
  menu.style.setProperty("--y", `${below ? at.bottom + 4 : Math.max(8, at.top - box.height - 4)}px`);
  anchor.closest(".scroll, .dialog-body")?.addEventListener("scroll", () => { anchor.open = false; }, { once: true });
}

/** [{value, label}] of any select: its own options, or people and channels of the workspace. */
function choices(element) {
  if (element.type.includes("users")) return users().map((user) => ({ value: user.id, label: user.name }));
  if (element.type.includes("conversations") || element.type.includes("channels")) {
    return (store.workspace?.channels || []).map((channel) =>
      ({ value: channel.id, label: channel.kind === "im" ? nameOf(channel.user) : `#${channel.name}` }));
  }
  const options = element.options || (element.option_groups || []).flatMap((group) => group.options);
  return options.map((option) => ({ value: option.value, label: plain(option.text), description: plain(option.description) }));
}

/** What the element starts with: the unsent value kept by the form, else its own initial_*. */
function startValue(element, ctx) {
  const kept = ctx.form?.read(ctx.blockId, element.action_id);
  if (kept !== undefined) return kept;
  const initial = element.initial_options?.map((option) => option.value) ?? element.initial_option?.value
    ?? element.initial_users ?? element.initial_user ?? element.initial_channel ?? element.initial_conversation ?? element.initial_date
    ?? element.initial_time ?? element.initial_value ?? null;
  ctx.form?.write(ctx.blockId, element, initial);
  return initial;
}

function changed(node, element, value, ctx) {
  ctx.form?.write(ctx.blockId, element, value);
  if (ctx.dispatch) perform(node, element, value, ctx);
}

const described = (ctx) => ({
  id: ctx.id, "aria-label": ctx.id ? null : ctx.label, "aria-invalid": ctx.invalid ? "true" : null,
  "aria-describedby": ctx.invalid ? `${ctx.id}-erreur` : null,
});

function select(element, ctx) {
  const start = startValue(element, ctx);
  const hint = plain(element.placeholder) || "Choisir…";
  const node = h("select", { class: "select", ...described({ label: hint, ...ctx }), data: { actionId: element.action_id || "" } },
    h("option", { value: "", disabled: Boolean(start), selected: !start }, hint),
    choices(element).map((choice) => h("option", { value: choice.value, selected: choice.value === start }, choice.label)));
  node.addEventListener("change", () => changed(node, element, node.value || null, ctx));
  return node;
}

function boxes(element, ctx) {
  const single = element.type === "radio_buttons";
  const start = [startValue(element, ctx) ?? []].flat();
  const group = `${ctx.id || ctx.blockId}-${element.action_id}`;
  const node = h("div", { class: "boxes", role: single ? "radiogroup" : "group", "aria-label": ctx.label || plain(element.placeholder) || "Choix",
    data: { actionId: element.action_id || "" } });
  const picked = () => [...node.querySelectorAll("input:checked")].map((box) => box.value);
  node.append(...choices(element).map((choice) => h("label", null,
    h("input", { type: single ? "radio" : "checkbox", name: group, value: choice.value, checked: start.includes(choice.value),
      onchange: () => changed(node, element, single ? picked()[0] : picked(), ctx) }),
    h("span", null, choice.label, choice.description && h("small", null, choice.description)))));
  return node;
}

function textInput(element, ctx) {
  const long = element.multiline || element.type === "rich_text_input";
  const start = startValue(element, ctx);
  const common = { ...described(ctx), class: "text-input", placeholder: plain(element.placeholder), maxlength: element.max_length, minlength: element.min_length,
    data: { actionId: element.action_id || "" } };
  const node = long
    ? h("textarea", { ...common, rows: 5 })
    : h("input", { ...common, type: TEXT_TYPES[element.type] || "text", min: element.min_value, max: element.max_value,
        step: element.is_decimal_allowed ? "any" : null, autocomplete: "off" });
  node.value = typeof start === "string" ? start : "";
  node.addEventListener("input", () => ctx.form?.write(ctx.blockId, element, node.value || null));
  if (ctx.dispatch) node.addEventListener("change", () => perform(node, element, node.value, ctx));
  return node;
}

function picker(type, initial) {
  return (element, ctx) => {
    const node = h("input", { type, class: "text-input", value: startValue(element, ctx) ?? element[initial] ?? "",
      ...described({ label: plain(element.placeholder) || (type === "date" ? "Date" : "Heure"), ...ctx }), data: { actionId: element.action_id || "" } });
    node.addEventListener("change", () => changed(node, element, node.value || null, ctx));
    return node;
  };
}
