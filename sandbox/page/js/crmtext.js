// HubSpot keeps note bodies as HTML: an allow-list of tags is rebuilt as nodes; no HTML parser ever sees the text.

import { h } from "./dom.js";
import { link } from "./mrkdwn.js";

const KEPT = new Set(["p", "strong", "b", "em", "i", "u", "ul", "ol", "li", "blockquote", "code", "div", "h1", "h2", "h3", "h4"]);
const TAG = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi;
const SILENT = /<(script|style|template|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)/gi;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", laquo: "«", raquo: "»", euro: "€", hellip: "…", sup2: "²", rsquo: "’",
  eacute: "é", egrave: "è", ecirc: "ê", agrave: "à", acirc: "â", ccedil: "ç", ocirc: "ô", ugrave: "ù", icirc: "î", Eacute: "É" };

/** "&eacute;", "&#233;" and "&#xe9;" -> "é"; what is not known stays as written. */
function decode(text) {
  return text.replace(/&(#x?[0-9a-f]{1,6}|[a-z0-9]{1,8});/gi, (whole, name) => {
    if (name[0] !== "#") return NAMED[name] ?? whole;
    const code = name[1].toLowerCase() === "x" ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** HTML or plain text -> nodes. Unknown tags vanish, their text stays. */
export function crmText(value) {
  const text = String(value ?? "").replace(SILENT, "");
  const root = h("div", { class: text.search(TAG) < 0 ? "lines" : null }); // only plain text has lines of its own
  const open = [root];
  let done = 0;
  for (const match of text.matchAll(TAG)) {
    open.at(-1).append(decode(text.slice(done, match.index)));
    done = match.index + match[0].length;
    step(open, match[1] === "/", match[2].toLowerCase(), match[3]);
  }
  open.at(-1).append(decode(text.slice(done)));
  return [root];
}

function step(open, closing, name, attributes) {
  if (name === "br") open.at(-1).append(h("br"));
  else if (name === "a" || KEPT.has(name)) closing ? close(open, name) : push(open, name, attributes);
}

function push(open, name, attributes) {
  const href = name === "a" && /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
  const node = name === "a" ? link(decode(href?.[1] ?? href?.[2] ?? ""), " ") : h(/^h\d$/.test(name) ? "strong" : name);
  node.textContent = "";
  node.dataset.tag = name;
  open.at(-1).append(node);
  open.push(node);
}

function close(open, name) {
  const at = open.findLastIndex((node) => node.dataset.tag === name);
  if (at > 0) open.length = at;
}
