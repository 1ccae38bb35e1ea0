// The journal tab: what went over the wire, newest first, by kind; a click unfolds the JSON.

import { fill, h, reconcile } from "./dom.js";
import { store } from "./state.js";

const KINDS = {
  event: "Événements", ack: "Accusés", api: "Slack API", hubspot: "HubSpot", opendata: "Données", bot: "Bot", fault: "Pannes",
};
const SHOWN = 200;
const hidden = new Set();

/** `status`: a good word, an HTTP status, or the error's own word. */
const GOOD = new Set(["ok", "sent", "start"]);
const failed = ({ status }) => Boolean(status) && !GOOD.has(status) && !(Number(status) < 400);

export function drawJournal(body) {
  if (!body.querySelector(".log-list")) fill(body, h("div", { class: "log-filters", role: "group", "aria-label": "Filtrer le journal" }), h("div", { class: "log-list" }));
  drawFilters(body);
  const entries = store.log.filter((entry) => !hidden.has(entry.kind)).slice(-SHOWN).reverse();
  const list = body.querySelector(".log-list");
  if (!entries.length) {
    fill(list, h("p", { class: "empty-note", data: { key: "vide" } }, "Rien ici pour l'instant. Posez une question : chaque événement, accusé et appel s'inscrit dans ce journal."));
    return;
  }
  reconcile(list, entries, { key: (entry) => entry.n, signature: (entry) => `${entry.n}/${entry.status}/${entry.ms}`, render: line });
}

function drawFilters(body) {
  const counts = {};
  for (const entry of store.log) counts[entry.kind] = (counts[entry.kind] || 0) + 1;
  reconcile(body.querySelector(".log-filters"), Object.keys(KINDS).filter((kind) => counts[kind]), {
    key: (kind) => kind,
    signature: (kind) => `${counts[kind]}/${hidden.has(kind)}`,
    render: (kind) => h("button", { type: "button", class: `chip kind-${kind}`, "aria-pressed": String(!hidden.has(kind)), onclick: () => {
      if (!hidden.delete(kind)) hidden.add(kind);
      drawJournal(body);
    } }, KINDS[kind], h("small", null, String(counts[kind]))),
  });
}

/** The bot logs JSON lines: its event's name is the summary, the line itself the detail. */
function readable(entry) {
  if (!entry.summary?.startsWith("{")) return entry;
  try {
    const parsed = JSON.parse(entry.summary);
    return { ...entry, summary: parsed.event || entry.summary, detail: entry.detail ?? parsed };
  } catch {
    return entry;
  }
}

function line(raw) {
  const entry = readable(raw);
  const at = new Date(typeof entry.at === "number" ? entry.at * 1000 : entry.at);
  const hour = Number.isNaN(at.getTime()) ? "" : at.toLocaleTimeString("fr-FR");
  const detail = entry.detail !== null && entry.detail !== undefined && h("pre", { class: "log-detail" });
  const node = h("details", { class: `log-line kind-${entry.kind}${failed(entry) ? " failed" : ""}` },
    h("summary", null, h("span", { class: "dot", title: KINDS[entry.kind] || entry.kind }), h("time", null, hour),
      h("span", { class: "summary", title: entry.summary }, entry.summary),
      entry.status && !GOOD.has(entry.status) && h("span", { class: "status" }, String(entry.status)),
      entry.ms !== null && entry.ms !== undefined && h("span", { class: "ms" }, `${Math.round(entry.ms)} ms`)),
    detail);
  // The JSON is written only once asked for: a log of hundreds of lines stays light.
  node.addEventListener("toggle", () => { if (node.open && detail && !detail.textContent) detail.textContent = JSON.stringify(entry.detail, null, 2); });
  return node;
}
