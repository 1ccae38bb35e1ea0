// Slack's own light markup (mrkdwn) -> DOM nodes. Nothing is ever parsed as HTML.

import { h } from "./dom.js";
import { emoji } from "./emoji.js";
import { bot, channelById, nameOf } from "./state.js";

/** The three entities that Slack's clients escape, and no other. */
export const unescape = (text) => text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");

export const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const BROADCASTS = { here: "@here", channel: "@channel", everyone: "@everyone" };
const TAGS = { "*": "strong", _: "em", "~": "s" };
const QUOTE = /^(?:&gt;|>) ?/;

export const safeUrl = (url) => (/^(https?:\/\/|mailto:|tel:)/i.test(url) ? url : null);

export function link(url, ...label) {
  const safe = safeUrl(url);
  if (!safe) return h("span", null, label.length ? label : url);
  return h("a", { href: safe, target: "_blank", rel: "noopener noreferrer" }, label.length ? label : url);
}

export function mention(id, label) {
  const self = id === bot().user_id;
  return h("span", { class: self ? "mention bot" : "mention" }, `@${label || nameOf(id)}`);
}

/** A whole text with fences, quotes and lines -> nodes (meant for `white-space: pre-wrap`). */
export function mrkdwn(text, { verbatim = false } = {}) {
  const nodes = [];
  for (const [index, part] of String(text ?? "").split("```").entries()) {
    const fenced = index % 2 === 1;
    if (fenced) nodes.push(h("pre", null, unescape(part.replace(/^\n|\n$/g, ""))));
    else nodes.push(...lines(index ? part.replace(/^\n/, "") : part, verbatim));
  }
  return nodes;
}

function lines(text, verbatim) {
  const nodes = [];
  let quoted = [];
  let plain = [];
  const flush = () => {
    if (plain.length) nodes.push(...inline(plain.join("\n"), verbatim));
    if (quoted.length) nodes.push(h("blockquote", null, inline(quoted.join("\n"), verbatim)));
    plain = [];
    quoted = [];
  };
  for (const line of text.split("\n")) {
    const isQuote = QUOTE.test(line);
    if ((isQuote && plain.length) || (!isQuote && quoted.length)) flush();
    (isQuote ? quoted : plain).push(isQuote ? line.replace(QUOTE, "") : line);
  }
  flush();
  return nodes;
}

// Alternatives inside an emphasis exclude each other, so that no input makes the scan blow up.
const TOKEN = new RegExp(
  [
    "`([^`\\n]+)`",
    "<([@#!][^<>\\n]*|(?:https?:\\/\\/|mailto:|tel:)[^<>\\n]*)>",
    ":([a-z0-9_+'-]+(?:::skin-tone-\\d)?):",
    "([*_~])(?=[^\\s])((?:<[^<>\\n]*>|<(?![^<>\\n]*>)|(?!\\4)[^<\\n])+?)\\4",
  ].join("|"),
  "g",
);
const WORD = /[\p{L}\p{N}_]/u;

/** One run of text -> nodes: code, links, mentions, emoji, bold, italics, strike. */
export function inline(text, verbatim = false) {
  if (verbatim) return [unescape(text)];
  const nodes = [];
  const scan = new RegExp(TOKEN.source, "g");
  let done = 0;
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const node = tokenNode(match, text);
    if (!node) {
      scan.lastIndex = match.index + 1;
      continue;
    }
    nodes.push(unescape(text.slice(done, match.index)), node);
    done = scan.lastIndex;
  }
  nodes.push(unescape(text.slice(done)));
  return nodes.filter((node) => node !== "");
}

function tokenNode(match, text) {
  const [whole, code, token, name, mark, inner] = match;
  if (code !== undefined) return h("code", null, unescape(code));
  if (token !== undefined) return reference(token);
  if (name !== undefined) return emoji(name) === `:${name}:` ? null : emoji(name);
  const before = text[match.index - 1] || " ";
  const after = text[match.index + whole.length] || " ";
  if (WORD.test(before) || WORD.test(after) || /\s$/.test(inner)) return null;
  return h(TAGS[mark], null, inline(inner));
}

function reference(token) {
  const [target, label] = splitOnce(token, "|");
  const text = label && unescape(label);
  if (target.startsWith("@")) return mention(target.slice(1), text);
  if (target.startsWith("#")) return h("span", { class: "mention" }, `#${text || channelById(target.slice(1))?.name || target.slice(1)}`);
  if (target.startsWith("!date^")) return h("span", null, text || target.split("^")[1]);
  if (target.startsWith("!subteam")) return h("span", { class: "mention" }, text || "@équipe");
  if (target.startsWith("!")) return h("span", { class: "mention" }, BROADCASTS[target.slice(1)] || text || target.slice(1));
  return link(unescape(target), text || unescape(target).replace(/^(mailto|tel):/, ""));
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
