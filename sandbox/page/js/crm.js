// The CRM tab: notes, tasks, deals and contacts as cards; what has just been written flashes once.

import { crmText } from "./crmtext.js";
import { h, icon, reconcile } from "./dom.js";
import { store } from "./state.js";

const STAGES = {
  appointmentscheduled: "Rendez-vous prévu", qualifiedtobuy: "Projet qualifié", presentationscheduled: "Présentation prévue",
  decisionmakerboughtin: "Accord de principe", contractsent: "Contrat envoyé", closedwon: "Gagné", closedlost: "Perdu",
};
const STATUSES = { NOT_STARTED: "à faire", IN_PROGRESS: "en cours", WAITING: "en attente", COMPLETED: "terminée", DEFERRED: "reportée" };
const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR", maximumFractionDigits: 0 });

let seen = null; // keys and signatures of the last picture, to tell what is new
const fresh = new Map();

const day = (value) => {
  const date = new Date(/^\d+$/.test(value) ? Number(value) : value);
  return Number.isNaN(date.getTime()) ? value : date.toLocaleDateString("fr-FR", { day: "numeric", month: "short", year: "numeric" });
};
const moment = (value) => new Date(value).toLocaleString("fr-FR", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const owner = (id) => {
  const found = (store.crm.owners || []).find((one) => one.id === id);
  return found ? `${found.firstName} ${found.lastName}` : "";
};
const dealName = (id) => store.crm.deals.find((deal) => deal.id === id)?.properties.dealname || `dossier ${id}`;
const dealTags = (record) => (record.associations?.deals || []).map((id) => h("span", { class: "tag" }, icon("deal", 13), dealName(id), h("small", null, id)));

const SECTIONS = [
  { kind: "notes", title: "Notes", icon: "note", newestFirst: true, draw: noteCard },
  { kind: "tasks", title: "Tâches", icon: "task", newestFirst: true, draw: taskCard },
  { kind: "deals", title: "Dossiers", icon: "deal", draw: dealCard },
  { kind: "contacts", title: "Contacts", icon: "person", draw: contactCard },
];

function noteCard({ properties: p, ...record }) {
  return [h("div", { class: "card-text" }, crmText(p.hs_note_body)), h("div", { class: "card-foot" }, dealTags(record)), by(record, p)];
}

function taskCard({ properties: p, ...record }) {
  return [h("h4", null, p.hs_task_subject || "Tâche sans objet"), p.hs_task_body && h("div", { class: "card-text" }, crmText(p.hs_task_body)),
    h("p", { class: "meta" }, [p.hs_timestamp && `échéance ${day(p.hs_timestamp)}`, STATUSES[p.hs_task_status]].filter(Boolean).join(" · ")),
    h("div", { class: "card-foot" }, dealTags(record)), by(record, p)];
}

function dealCard({ properties: p, id, associations }) {
  const notes = store.crm.notes.filter((note) => note.associations?.deals?.includes(id)).length;
  return [h("h4", null, p.dealname || `Dossier ${id}`), h("p", { class: "meta strong" },
    [p.amount && euros.format(p.amount), STAGES[p.dealstage] || p.dealstage].filter(Boolean).join(" · ")),
    p.description && h("div", { class: "card-text" }, crmText(p.description)),
    p.hs_next_step && h("p", { class: "next-step" }, h("span", null, "Prochaine étape : "), p.hs_next_step),
    h("p", { class: "meta" }, [`n° ${id}`, `${notes} note${notes > 1 ? "s" : ""}`, `${associations?.contacts?.length || 0} contact(s)`, owner(p.hubspot_owner_id)].filter(Boolean).join(" · "))];
}

function contactCard({ properties: p, id, ...record }) {
  return [h("h4", null, [p.firstname, p.lastname].filter(Boolean).join(" ") || `Contact ${id}`),
    h("p", { class: "meta" }, [p.jobtitle, p.city].filter(Boolean).join(" · ")), h("p", { class: "meta" }, [p.email, p.phone].filter(Boolean).join(" · ")),
    h("div", { class: "card-foot" }, dealTags(record))];
}

const by = (record, p) => h("p", { class: "meta" }, [moment(record.createdAt), owner(p.hubspot_owner_id), `n° ${record.id}`].filter(Boolean).join(" · "));

const identity = (kind, record) => `${kind}/${record.id}`;
const FRESH_MS = 60000;

/** Marks what appeared or changed since the last picture; the first picture marks nothing. */
export function noticeChanges() {
  const now = new Map();
  for (const { kind } of SECTIONS) for (const record of store.crm[kind] || []) now.set(identity(kind, record), JSON.stringify([record.properties, record.associations]));
  let newest = null;
  if (seen) {
    for (const [key, sign] of now) {
      if (seen.get(key) === sign) continue;
      if (!seen.has(key) || !key.startsWith("contacts")) newest = key;
      fresh.set(key, Date.now());
    }
  }
  seen = now;
  return newest;
}

export function forgetChanges() {
  seen = null;
  fresh.clear();
}

export function drawCrm(body) {
  if (!store.crm) return;
  const expired = Date.now() - FRESH_MS;
  reconcile(body, SECTIONS, {
    key: (section) => section.kind,
    signature: (section) => section.kind,
    render: (section) => h("details", { class: "crm-section", open: section.kind !== "contacts" },
      h("summary", null, icon(section.icon), h("h3", null, section.title), h("span", { class: "tally" })), h("div", { class: "cards" })),
  });
  SECTIONS.forEach((section, index) => {
    const records = [...(store.crm[section.kind] || [])];
    if (section.newestFirst) records.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    const node = body.children[index];
    node.querySelector(".tally").textContent = records.length;
    const extra = section.kind === "deals" ? store.crm.notes.length : 0;
    reconcile(node.querySelector(".cards"), records, {
      key: (record) => record.id,
      signature: (record) => JSON.stringify([record, extra]),
      render: (record) => {
        const isFresh = fresh.get(identity(section.kind, record)) > expired;
        return h("article", { class: isFresh ? "card fresh" : "card", data: { record: identity(section.kind, record) } }, section.draw(record));
      },
    });
  });
}
