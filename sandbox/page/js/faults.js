// The breakdowns tab: bad days that one can order with a click, to see how the bot gets through them.

import { loadWorkspace, send } from "./api.js";
import { h, reconcile } from "./dom.js";
import { store } from "./state.js";
import { toast } from "./toast.js";

/** `order` is what the click sends; `active` reads the switch back from the state; without `active` it is a one-off. */
const DAYS = [
  { title: "Coupure de la connexion", about: "Les connexions Socket Mode tombent d'un coup ; le bot doit revenir seul.", order: { drop_sockets: "abrupt" } },
  { title: "Événements en double", about: "Les 3 prochains événements arrivent deux fois ; une seule réponse attendue.", order: { duplicate_events: 3 },
    active: (faults) => faults.duplicate_events > 0, clear: { duplicate_events: 0 } },
  { title: "Accusés perdus", about: "Chaque accusé arrive après plus de 3 s : Slack renvoie l'événement.", order: { late_ack_ms: 4000 },
    active: (faults) => faults.late_ack_ms > 0, clear: { late_ack_ms: 0 } },
  { title: "Slack dit « trop vite »", about: "Les 2 prochains chat.update reçoivent un 429.", order: { rate_limit: { "chat.update": 2 } },
    active: (faults) => Object.values(faults.rate_limit || {}).some((left) => left > 0), clear: { rate_limit: {} } },
  { title: "Message publié, réponse perdue", about: "Le prochain chat.postMessage aboutit, mais la connexion casse avant la réponse.", order: { post_then_drop: 1 },
    active: (faults) => faults.post_then_drop > 0, clear: { post_then_drop: 0 } },
  { title: "Blocs refusés", about: "Le prochain appel qui porte des blocs reçoit invalid_blocks.", order: { invalid_blocks_once: 1 },
    active: (faults) => faults.invalid_blocks_once > 0, clear: { invalid_blocks_once: 0 } },
  { title: "Slack lent", about: "Chaque appel prend une seconde et demie de plus.", order: { slow_api_ms: 1500 },
    active: (faults) => faults.slow_api_ms > 0, clear: { slow_api_ms: 0 } },
  { title: "Fichiers lents", about: "Chaque téléchargement d'un fichier déposé prend 4 s de plus : de quoi tuer le bot pendant l'ajout.", order: { slow_files_ms: 4000 },
    active: (faults) => faults.slow_files_ms > 0, clear: { slow_files_ms: 0 } },
  { title: "Fichier refusé", about: "Le prochain téléchargement reçoit la page de connexion de Slack au lieu du fichier.", order: { files_sign_in: 1 },
    active: (faults) => faults.files_sign_in > 0, clear: { files_sign_in: 0 } },
  { title: "Sans réponses en continu", about: "Comme dans un espace Slack qui n'a pas chat.startStream : le bot réécrit son message.", order: { no_streams: true },
    active: (faults) => Boolean(faults.no_streams), clear: { no_streams: false } },
  { title: "Flux expirés", about: "Slack ne connaît plus aucun message en continu : la réponse doit finir entière.", order: { expire_streams: true },
    active: (faults) => Boolean(faults.expire_streams), clear: { expire_streams: false } },
  { title: "Sans fonctions d'agent", about: "Comme dans un espace Slack qui n'en a pas : statuts et suggestions sont refusés.", order: { no_agent: true },
    active: (faults) => Boolean(faults.no_agent), clear: { no_agent: false } },
  { title: "Droit users:read perdu", about: "L'application ne sait plus qui parle : personne n'est reconnu membre.", order: { without_scopes: ["users:read"] },
    active: (faults) => (faults.without_scopes || []).length > 0, clear: { without_scopes: [] } },
  { title: "CRM : écrit, puis coupé", about: "La prochaine écriture aboutit dans le CRM, mais le bot n'en reçoit pas la réponse.",
    order: { hubspot: { mode: "commit_then_drop", count: 1, on: "write" } } },
  { title: "Prix indisponibles", about: "Les 3 prochains appels au service de prix échouent.", order: { opendata: { mode: "down", count: 3, service: "dvf" } } },
  { title: "Géorisques muet", about: "Les 20 prochains appels à Géorisques restent sans réponse dans les temps.", order: { opendata: { mode: "slow", count: 20, service: "georisques" } } },
  { title: "Données ouvertes indisponibles", about: "Les 60 prochains appels à tous les services de données échouent.", order: { opendata: { mode: "down", count: 60 } } },
];

async function press(day, on) {
  const answer = await send("faults", on ? day.clear : day.order);
  if (answer && !day.active) toast(`${day.title} : c'est fait.`, "info");
  await loadWorkspace();
}

export function drawFaults(body) {
  const faults = store.workspace?.faults || {};
  reconcile(body, [{ intro: true, title: "intro" }, ...DAYS], {
    key: (day) => day.title,
    signature: (day) => String(day.active?.(faults)),
    render: (day) => {
      if (day.intro) return h("p", { class: "empty-note" }, "Commandez une panne, posez une question, et regardez le journal.");
      const on = Boolean(day.active?.(faults));
      return h("button", { type: "button", class: "fault", role: day.active ? "switch" : null, "aria-checked": day.active ? String(on) : null, onclick: () => press(day, on) },
        h("span", null, h("strong", null, day.title), h("small", null, day.about)), day.active ? h("i", { class: "toggle" }) : h("span", { class: "chip" }, "Provoquer"));
    },
  });
}
