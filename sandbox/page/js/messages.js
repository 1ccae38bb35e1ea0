// One message, and the lists of them.

import { act, send } from "./api.js";
import { fileChip, renderBlocks } from "./blocks.js";
import { askConfirm } from "./dialogs.js";
import { h, icon, iconButton, reconcile } from "./dom.js";
import { emoji } from "./emoji.js";
import { mrkdwn, unescape } from "./mrkdwn.js";
import { authorName, avatar, avatarOf, botMark, clock, dayOf, fullDate } from "./people.js";
import { follow, settle } from "./scrolling.js";
import { bot, go, isBot, store, userById } from "./state.js";

const SAME_BREATH_S = 300;

/** Messages -> list items: day separators, and `compact` for a message that follows its author's own. */
function layout(messages, { inThread }) {
  const items = [];
  let previous = null;
  for (const message of messages) {
    const day = dayOf(message.ts);
    if (!inThread && (!previous || dayOf(previous.ts) !== day)) {
      items.push({ kind: "day", key: `jour-${day}`, day });
      previous = null;
    }
    const compact = Boolean(previous) && authorKey(previous) === authorKey(message) && !previous.reply_count
      && Number(message.ts) - Number(previous.ts) < SAME_BREATH_S && !message.ephemeral_to && !previous.ephemeral_to
      && !(inThread && previous === messages[0]);
    items.push({ kind: "message", key: message.ts, message, compact });
    if (inThread && message === messages[0]) items.push({ kind: "count", key: "compte", count: messages.length - 1 });
    previous = message;
  }
  return items;
}

const authorKey = (message) => message.bot_id || message.user || message.username;

export function drawMessages(container, messages, options) {
  if (options.jump) follow(container);
  reconcile(container, layout(messages, options), {
    key: (item) => item.key,
    signature: (item) => JSON.stringify(item) + store.user,
    render: (item) => {
      if (item.kind === "day") return h("div", { class: "day", role: "separator" }, h("span", null, item.day));
      if (item.kind === "count") return h("div", { class: "count", role: "separator" }, h("span", null, replyCount(item.count)));
      return messageNode(item.message, item.compact, options);
    },
  });
  settle(container);
}

const replyCount = (n) => (n === 0 ? "Pas encore de réponse" : n === 1 ? "1 réponse" : `${n} réponses`);

function messageNode(message, compact, { inThread }) {
  const fromBot = isBot(message);
  const classes = ["message", compact && "compact", fromBot && "from-bot", message.ephemeral_to && "ephemeral", waiting(message) && "waiting"];
  const time = h("time", { datetime: new Date(message.ts * 1000).toISOString(), title: fullDate(message.ts) }, clock(message.ts));
  const head = h("div", { class: "message-head" },
    h("strong", { class: "author" }, authorName(message)), fromBot && h("span", { class: "app-tag" }, "APP"), time,
    message.pinned_to?.length && h("span", { class: "meta" }, "épinglé"));
  return h("article", { class: classes.filter(Boolean).join(" "), data: { ts: message.ts } },
    h("div", { class: "gutter" }, compact ? time.cloneNode(true) : avatarOf(message)),
    h("div", { class: "message-body" },
      message.ephemeral_to && h("p", { class: "only-you" }, icon("eye", 14), "Visible de vous seul"),
      compact ? h("span", { class: "sr-only" }, `${authorName(message)}, ${clock(message.ts)}`) : head,
      message.subtype === "tombstone" ? h("p", { class: "meta" }, "Ce message a été supprimé.") : content(message),
      message.edited && h("span", { class: "meta edited", title: fullDate(message.edited.ts) }, "(modifié)"),
      message.files?.length && h("div", { class: "files" }, message.files.map(fileChip)),
      message.reactions?.length && h("div", { class: "reactions" }, message.reactions.map(reaction)),
      !inThread && message.reply_count > 0 && repliesLink(message)),
    !message.ephemeral_to && message.subtype !== "tombstone" && toolbar(message, inThread));
}

function content(message) {
  const ctx = { act: actor(message) };
  const nodes = message.blocks?.length ? renderBlocks(message.blocks, ctx) : [];
  if (!nodes.length && message.text) nodes.push(h("div", { class: "text" }, mrkdwn(message.text)));
  for (const attachment of message.attachments || []) {
    nodes.push(h("div", { class: "attachment" }, attachment.blocks ? renderBlocks(attachment.blocks, ctx) : h("div", { class: "text" }, mrkdwn(attachment.text || attachment.fallback))));
  }
  return nodes;
}

/** A placeholder: a short message of the bot that ends with an ellipsis. */
function waiting(message) {
  if (!isBot(message) || (message.blocks || []).length > 1) return false;
  const block = message.blocks?.[0];
  const text = block ? block.text?.text || block.text || block.elements?.at(-1)?.text || "" : message.text || "";
  return typeof text === "string" && text.length < 160 && /(…|\.\.\.)[_*]?$/.test(text.trim());
}

function actor(message) {
  return (element, value, block_id, extra) =>
    act("click", { user: store.user, channel: store.channel, ts: message.ts, action_id: element.action_id, block_id, value, ...extra });
}

const reaction = ({ name, count, users }) =>
  h("span", { class: users?.includes(store.user) ? "reaction mine" : "reaction", title: `:${name}:` }, emoji(name), " ", String(count || users?.length || 1));

function repliesLink(message) {
  const faces = (message.reply_users || [bot().user_id]).slice(0, 3).map((id) => (id === bot().user_id ? botMark("small") : avatar(userById(id), "small")));
  return h("button", { type: "button", class: "replies-link", onclick: () => go(store.channel, message.ts) },
    h("span", { class: "faces" }, faces), h("strong", null, replyCount(message.reply_count)),
    message.latest_reply && h("span", { class: "meta" }, `dernière à ${clock(message.latest_reply)}`));
}

function toolbar(message, inThread) {
  const own = message.user === store.user && !message.bot_id;
  return h("div", { class: "toolbar", role: "toolbar", "aria-label": "Actions sur ce message" },
    store.workspace.shortcuts.map(({ name, callback_id }) => iconButton(callback_id.startsWith("note") ? "note" : "chat", name, () => take(message, callback_id))),
    !inThread && iconButton("reply", "Répondre dans le fil", () => go(store.channel, message.ts)),
    own && iconButton("edit", "Modifier", (event) => startEdit(event.currentTarget.closest(".message"), message)),
    own && iconButton("trash", "Supprimer", () => remove(message)));
}

const take = (message, callback_id) =>
  act("shortcut", { user: store.user, channel: store.channel, ts: message.ts, callback_id });

async function remove(message) {
  const sure = await askConfirm({ title: "Supprimer ce message ?", text: "Le bot reçoit l'événement message_deleted.", confirm: "Supprimer", style: "danger" });
  if (sure) await send("delete", { user: store.user, channel: store.channel, ts: message.ts });
}

/** Edits the raw text: what Slack stores, mentions included. */
function startEdit(node, message) {
  const area = h("textarea", { class: "text-input", rows: 3, "aria-label": "Modifier le message" });
  area.value = unescape(message.text || "").replaceAll(`<@${bot().user_id}>`, `@${bot().name}`);
  const stop = () => { node.dataset.sign = ""; form.replaceWith(...kept); };
  const save = async () => {
    const text = area.value.trim().replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replaceAll(`@${bot().name}`, `<@${bot().user_id}>`);
    if (text && (await send("edit", { user: store.user, channel: store.channel, ts: message.ts, text }))) stop();
  };
  const form = h("div", { class: "edit-form" }, area,
    h("button", { type: "button", class: "button", onclick: stop }, "Annuler"), h("button", { type: "button", class: "button primary", onclick: save }, "Enregistrer"));
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { event.stopPropagation(); stop(); }
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); save(); }
  });
  const body = node.querySelector(".message-body");
  const kept = [...body.querySelectorAll(":scope > .text, :scope > .block")];
  kept[0]?.before(form);
  kept.forEach((one) => one.remove());
  if (!form.isConnected) body.append(form);
  area.focus();
}

