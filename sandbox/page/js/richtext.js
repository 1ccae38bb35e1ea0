// Slack's `rich_text` elements -> DOM nodes.

import { h } from "./dom.js";
import { emoji } from "./emoji.js";
import { link, mention } from "./mrkdwn.js";
import { channelById } from "./state.js";

export function richText(elements) {
  return (elements || []).map(part);
}

function part(item) {
  const children = () => (item.elements || []).map(leaf);
  if (item.type === "rich_text_list") {
    const items = (item.elements || []).map((entry) => h("li", null, entry.type === "rich_text_section" ? (entry.elements || []).map(leaf) : part(entry)));
    const start = item.offset ? item.offset + 1 : null;
    return h(item.style === "ordered" ? "ol" : "ul", { start, class: `indent-${Math.min(item.indent || 0, 5)}` }, items);
  }
  if (item.type === "rich_text_quote") return h("blockquote", null, children());
  if (item.type === "rich_text_preformatted") return h("pre", null, children());
  return h("div", { class: "text" }, item.elements ? children() : leaf(item));
}

const LEAVES = {
  text: (item) => item.text,
  link: (item) => link(item.url, item.text || item.url),
  user: (item) => mention(item.user_id),
  channel: (item) => h("span", { class: "mention" }, `#${channelById(item.channel_id)?.name || item.channel_id}`),
  usergroup: (item) => h("span", { class: "mention" }, `@${item.usergroup_id}`),
  broadcast: (item) => h("span", { class: "mention" }, `@${item.range}`),
  emoji: (item) => (item.unicode ? glyph(item.unicode) : emoji(item.name || "")),
  color: (item) => item.value,
  date: (item) => new Date(item.timestamp * 1000).toLocaleString("fr-FR"),
};

const glyph = (unicode) => String.fromCodePoint(...unicode.split("-").map((code) => parseInt(code, 16)));

function leaf(item) {
  const draw = LEAVES[item.type];
  const content = draw ? draw(item) : item.text || item.fallback || `[${item.type}]`;
  const style = item.style || {};
  let node = content;
  if (style.code) node = h("code", null, node);
  if (style.strike) node = h("s", null, node);
  if (style.italic) node = h("em", null, node);
  if (style.bold) node = h("strong", null, node);
  return node;
}
