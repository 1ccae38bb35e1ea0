// HubSpot keeps note bodies as HTML: a short allow-list of tags is rebuilt as nodes, all else stays text.

import { h } from "./dom.js";
import { link } from "./mrkdwn.js";

const KEPT = new Set(["P", "BR", "STRONG", "B", "EM", "I", "U", "UL", "OL", "LI", "H1", "H2", "H3", "H4", "BLOCKQUOTE", "CODE"]);
const DROPPED = new Set(["SCRIPT", "STYLE", "IFRAME", "OBJECT", "TEMPLATE", "NOSCRIPT", "SVG", "MATH", "TITLE"]);
const HTML = /<\/?[a-z][^>]*>/i;

/** HTML or plain text -> nodes. DOMParser's document is inert: nothing in it loads or runs. */
export function crmText(value) {
  const text = String(value ?? "");
  if (!HTML.test(text) && !/&[a-z#\d]+;/i.test(text)) return [h("span", { class: "lines" }, text)];
  const parsed = new DOMParser().parseFromString(text, "text/html");
  return [...parsed.body.childNodes].map(rebuild);
}

function rebuild(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || DROPPED.has(node.tagName.toUpperCase())) return "";
  const children = [...node.childNodes].map(rebuild);
  if (node.tagName === "A") return link(node.getAttribute("href") || "", children);
  if (/^H[1-4]$/.test(node.tagName)) return h("p", null, h("strong", null, children));
  return KEPT.has(node.tagName) ? h(node.tagName.toLowerCase(), null, children) : h("span", null, children);
}
