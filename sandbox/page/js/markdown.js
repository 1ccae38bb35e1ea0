// Standard Markdown, as Slack's `markdown` block takes it -> DOM nodes. HTML in it stays visible text.

import { h } from "./dom.js";
import { emoji } from "./emoji.js";
import { link, mention, unescape } from "./mrkdwn.js";

const FENCE = /^ {0,3}(```+|~~~+)\s*([\w+-]*)\s*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+•]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}(?:>|&gt;) ?/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text) {
  return blocks(String(text ?? "").replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"));
}

const READERS = [readFence, readHeading, readRule, readQuote, readTable, readList];
const DEEPEST = 12; // quotes in lists in quotes: below this, plain paragraphs

function blocks(lines, depth = 0) {
  const nodes = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const found = (depth < DEEPEST && firstFound(lines, at, depth)) || readParagraph(lines, at);
    nodes.push(found.node);
    at = found.next;
  }
  return nodes;
}

function firstFound(lines, at, depth) {
  for (const read of READERS) {
    const found = read(lines, at, depth);
    if (found) return found;
  }
  return null;
}

const startsTable = (lines, at) => lines[at].includes("|") && TABLE_RULE.test(lines[at + 1] || "") && lines[at + 1].includes("-");
const startsBlock = (lines, at) => [FENCE, HEADING, RULE, QUOTE, ITEM].some((mark) => mark.test(lines[at])) || startsTable(lines, at);

function readFence(lines, at) {
  const open = FENCE.exec(lines[at]);
  if (!open) return null;
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(open[1])) end += 1;
  return { node: h("pre", null, h("code", null, unescape(lines.slice(at + 1, end).join("\n")))), next: end + 1 };
}

function readHeading(lines, at) {
  const found = HEADING.exec(lines[at]);
  // The page has its own h1 to h3: a message starts below them.
  return found && { node: h(`h${Math.min(6, found[1].length + 3)}`, { class: `md-h${found[1].length}` }, spans(found[2])), next: at + 1 };
}

function readRule(lines, at) {
  return RULE.test(lines[at]) ? { node: h("hr"), next: at + 1 } : null;
}

function readQuote(lines, at, depth) {
  if (!QUOTE.test(lines[at])) return null;
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end])) end += 1;
  return { node: h("blockquote", null, blocks(lines.slice(at, end).map((line) => line.replace(QUOTE, "")), depth + 1)), next: end };
}

const cells = (line) =>
  line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));

function readTable(lines, at) {
  if (!startsTable(lines, at)) return null;
  const align = cells(lines[at + 1]).map((rule) => (/^:-+:$/.test(rule) ? "center" : /-:$/.test(rule) ? "right" : "left"));
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const row = (tag) => (line) => h("tr", null, cells(line).map((cell, i) => h(tag, { class: `to-${align[i] || "left"}` }, spans(cell))));
  const table = h("table", null, h("thead", null, row("th")(lines[at])), h("tbody", null, lines.slice(at + 2, end).map(row("td"))));
  return { node: h("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Tableau" }, table), next: end };
}

function readList(lines, at, depth) {
  const first = ITEM.exec(lines[at]);
  if (!first) return null;
  const indent = first[1].length;
  const ordered = /\d/.test(first[2]);
  const items = [];
  let next = at;
  while (next < lines.length) {
    const found = ITEM.exec(lines[next]);
    const inset = /^\s*/.exec(lines[next])[0].length;
    const blank = !lines[next].trim();
    if (found && inset <= indent + 1) {
      if (inset < indent || /\d/.test(found[2]) !== ordered) break;
      items.push([found[3]]);
    } else if (blank && !continues(lines, next + 1, indent)) break;
    else if (!blank && inset <= indent && startsBlock(lines, next)) break;
    else items.at(-1).push(lines[next].slice(Math.min(inset, indent + 2)));
    next += 1;
  }
  const start = ordered ? parseInt(first[2], 10) : null;
  return { node: h(ordered ? "ol" : "ul", { start: start > 1 ? start : null }, items.map((item) => listItem(item, depth))), next };
}

const continues = (lines, at, indent) =>
  at < lines.length && lines[at].trim() && (/^\s*/.exec(lines[at])[0].length > indent || ITEM.test(lines[at]));

function listItem([head, ...rest], depth) {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(head);
  const box = task && h("input", { type: "checkbox", disabled: true, checked: task[1] !== " ", "aria-hidden": "true" });
  const children = blocks([task ? task[2] : head, ...rest], depth + 1);
  const [first, ...others] = children;
  const tight = first?.tagName === "P" ? [...first.childNodes] : first;
  return h("li", { class: task ? "task" : null }, box, tight, others);
}

function readParagraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !startsBlock(lines, end)) end += 1;
  return { node: h("p", null, spans(lines.slice(at, end).map((line) => line.trim()).join("\n"))), next: end };
}

// As in mrkdwn.js, alternatives exclude each other: a hostile line costs time in proportion, never exponentially.
const SPAN = new RegExp(
  [
    "\\\\([\\\\`*_{}\\[\\]()#+\\-.!|>~])", // 1 escape
    "(`+)([^`]|[^`][\\s\\S]*?[^`])\\2(?!`)", // 2, 3 code
    "!?\\[([^\\[\\]\\n]*(?:\\[[^\\[\\]\\n]*\\][^\\[\\]\\n]*)*)\\]\\(<?([^()\\s<>]*(?:\\([^()\\s]*\\)[^()\\s<>]*)*)>?(?:\\s+\"[^\"\\n]*\")?\\)", // 4, 5 link
    "<([@#!][^<>\\n|]*)(?:\\|([^<>\\n]*))?>", // 6, 7 Slack reference
    "<?((?:https?:\\/\\/|mailto:)[^\\s<>|]*[^\\s<>|.,;:!?)\\]'\"»])(?:\\|([^<>\\n]*))?>?", // 8, 9 address
    "(\\*\\*|__)(?=\\S)([^\\n]*?\\S)\\10", // 10, 11 bold
    "(~~)(?=\\S)([^\\n]*?\\S)~~", // 12, 13 strike
    "([*_])(?=[^\\s*_])((?:\\*\\*[^*\\n]+\\*\\*|(?!\\14|\\*\\*[^*\\n]+\\*\\*)[^\\n])*?[^\\s*_\\\\])\\14(?!\\14)", // 14, 15 italics
    ":([a-z0-9_+-]+):", // 16 emoji
  ].join("|"),
  "g",
);
const WORD = /[\p{L}\p{N}]/u;

export function spans(text) {
  const nodes = [];
  const scan = new RegExp(SPAN.source, "g");
  let done = 0;
  for (let match = scan.exec(text); match; match = scan.exec(text)) {
    const node = spanNode(match, text);
    if (node === null) {
      scan.lastIndex = match.index + 1;
      continue;
    }
    nodes.push(unescape(text.slice(done, match.index)), node);
    done = scan.lastIndex;
  }
  nodes.push(unescape(text.slice(done)));
  return nodes.filter((node) => node !== "");
}

function spanNode(match, text) {
  const [whole, escaped, , code, label, url, ref, refLabel, address, addressLabel, bold, boldText] = match;
  const [strike, strikeText, italic, italicText, name] = match.slice(12);
  if (escaped) return escaped;
  if (code !== undefined) return h("code", null, unescape(code.trim()));
  if (url !== undefined) return link(unescape(url), label ? spans(label) : url);
  if (ref) return ref[0] === "@" ? mention(ref.slice(1), refLabel) : h("span", { class: "mention" }, refLabel || ref.slice(1));
  if (address) return link(unescape(address), addressLabel || address);
  const before = text[match.index - 1] || " ";
  const after = text[match.index + whole.length] || " ";
  if (bold) return bold === "__" && (WORD.test(before) || WORD.test(after)) ? null : h("strong", null, spans(boldText));
  if (strike) return h("s", null, spans(strikeText));
  if (italic) return WORD.test(before) || (italic === "_" && WORD.test(after)) ? null : h("em", null, spans(italicText));
  if (name) return emoji(name) === `:${name}:` ? null : emoji(name);
  return null;
}
