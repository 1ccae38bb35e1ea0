// The message box: mentions as pills, Enter sends, Shift+Enter breaks the line, a draft kept for each place.

import { act, send } from "./api.js";
import { dropZone, makeAttachments } from "./attachments.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { startMentions } from "./mentions.js";
import { escape } from "./mrkdwn.js";
import { bot, store } from "./state.js";

export function pill(id, name) {
  return h("span", { class: "mention bot pill", contenteditable: "false", data: { mention: id } }, `@${name}`);
}

/** What is in the box, as Slack's clients send it: pills become <@ID>, the rest is escaped. */
export function read(node) {
  let text = "";
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) text += escape(child.data);
    else if (child.dataset?.mention) text += `<@${child.dataset.mention}>`;
    else if (child.tagName === "BR") text += "\n";
    else text += (text && !text.endsWith("\n") && child.tagName === "DIV" ? "\n" : "") + read(child);
  }
  return text.replaceAll("\u00a0", " ");
}

/**
 * options: {id, label: () => string, place: () => {channel, thread_ts?}, needsMention: () => boolean, sent(answer)}
 * Returns {refresh(), focus(), mention(), submit(text?), isBusy()}.
 */
export function makeComposer(mount, options) {
  const box = h("div", { class: "box", id: options.id, role: "textbox", "aria-multiline": "true", contenteditable: "true", spellcheck: "true", enterkeyhint: "send" });
  box.contentEditable = "plaintext-only";
  if (box.contentEditable !== "plaintext-only") box.contentEditable = "true";
  const hint = h("p", { class: "composer-hint", role: "status" });
  const chip = h("button", { type: "button", class: "chip mention-chip", onclick: () => mention() });
  const sendButton = iconButton("send", "Envoyer", () => submit(), { class: "icon-button send" });
  const tray = h("div", { class: "tray", role: "group", "aria-label": "Fichiers à joindre", hidden: true });
  const attached = makeAttachments(tray, () => react());
  const menu = h("div", { class: "menu mentions", role: "listbox", "aria-label": "Personnes à mentionner", hidden: true });
  const drafts = new Map();
  let draftKey = "";

  const text = () => read(box).replace(/^\s+|\s+$/g, "");
  const mentions = () => Boolean(box.querySelector(`[data-mention="${CSS.escape(bot().user_id)}"]`));

  function react() {
    const empty = !text();
    box.classList.toggle("is-empty", empty && !box.querySelector("[data-mention]"));
    sendButton.disabled = empty && !attached.any();
    const silent = !sendButton.disabled && options.needsMention() && !mentions() && !text().startsWith("/");
    hint.textContent = silent ? `Sans mention, ${bot().name} ne répond pas dans un salon.` : "";
    chip.hidden = !options.needsMention() || mentions();
  }

  function mention() {
    if (!mentions()) box.prepend(pill(bot().user_id, bot().name), document.createTextNode(" "));
    react();
    focusEnd(box);
  }

  async function submit(given) {
    const said = given ?? text();
    const withFiles = given === undefined && attached.any();
    if ((!said && !withFiles) || sendButton.classList.contains("busy")) return;
    const place = options.place();
    sendButton.classList.add("busy");
    const answer = said.startsWith("/") && !given && !withFiles
      ? await act("command", { user: store.user, channel: place.channel, ...splitCommand(said) })
      : await send("say", { user: store.user, text: said, ...place, ...(withFiles ? { files: await attached.take() } : {}) });
    sendButton.classList.remove("busy");
    if (!answer) return;
    if (given === undefined) {
      box.replaceChildren();
      drafts.delete(draftKey);
      if (withFiles) attached.clear();
    }
    react();
    options.sent(answer, said);
  }

  function refresh() {
    const { channel, thread_ts = "" } = options.place();
    const key = `${store.user}/${channel}/${thread_ts}`;
    if (key !== draftKey) {
      if (text()) drafts.set(draftKey, [...box.childNodes]);
      box.replaceChildren(...(drafts.get(key) || []));
      draftKey = key;
    }
    box.setAttribute("aria-label", options.label());
    box.dataset.placeholder = options.label();
    fill(chip, icon("chat", 15), `@${bot().name}`);
    react();
  }

  startMentions(box, menu, react);
  box.addEventListener("input", react);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    submit();
  });
  // Only text enters the box, also where the browser lacks plaintext-only editing.
  for (const kind of ["paste", "drop"]) box.addEventListener(kind, (event) => {
    const given = event.clipboardData || event.dataTransfer;
    event.preventDefault();
    if (kind === "paste" && given.files.length) attached.add(given.files);
    else if (!given.files.length) document.execCommand("insertText", false, given.getData("text/plain"));
  });
  dropZone(mount.closest(".pane"), attached.add);

  fill(mount, h("div", { class: "composer" }, menu, box, tray,
    h("div", { class: "composer-foot" }, attached.button, chip, hint, h("span", { class: "keys", "aria-hidden": "true" }, h("kbd", null, "Entrée"), " envoie · ", h("kbd", null, "Maj+Entrée"), " va à la ligne"), sendButton)));
  return { refresh, mention, submit, focus: () => focusEnd(box), isBusy: () => Boolean(text()) || attached.any() };
}

function splitCommand(said) {
  const [, command, text] = /^(\S+)\s*([\s\S]*)$/.exec(said);
  return { command, text };
}

export function focusEnd(box) {
  box.focus();
  const selection = getSelection();
  selection.selectAllChildren(box);
  selection.collapseToEnd();
}
