// The column behind the scenes: tabs for the CRM, the journal and the breakdowns.

import { drawCrm, noticeChanges } from "./crm.js";
import { fill, h, iconButton } from "./dom.js";
import { drawFaults } from "./faults.js";
import { drawJournal } from "./journal.js";
import { on, showInspector, store } from "./state.js";

const TABS = [["crm", "CRM"], ["log", "Journal"], ["faults", "Pannes"]];
const DRAW = { crm: drawCrm, log: drawJournal, faults: drawFaults };
let shownTab = "";
let unseen = false;

function drawTabs() {
  const tab = ([id, label]) => h("button", {
    type: "button", role: "tab", id: `onglet-${id}`, "aria-selected": String(store.inspector === id), "aria-controls": "inspector-body",
    tabindex: store.inspector === id ? 0 : -1, class: id === "crm" && unseen ? "has-news" : null, onclick: () => showInspector(id),
    onkeydown: (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const step = event.key === "ArrowRight" ? 1 : TABS.length - 1;
      const [other] = TABS[(TABS.findIndex(([one]) => one === id) + step) % TABS.length];
      showInspector(other);
      document.getElementById(`onglet-${other}`).focus();
    },
  }, label);
  fill(document.getElementById("inspector-bar"),
    h("div", { class: "tabs", role: "tablist", "aria-label": "Coulisses" }, TABS.map(tab)),
    iconButton("close", "Fermer les coulisses", () => showInspector(null)));
}

function draw() {
  const panel = document.getElementById("inspector");
  panel.hidden = !store.inspectorOpen;
  document.body.classList.toggle("with-inspector", store.inspectorOpen);
  if (!store.inspectorOpen) return;
  const body = document.getElementById("inspector-body");
  if (store.inspector === "crm") unseen = false;
  drawTabs();
  if (shownTab !== store.inspector) {
    fill(body);
    body.scrollTop = 0;
    shownTab = store.inspector;
  }
  DRAW[store.inspector](body);
}

function crmChanged() {
  const newest = noticeChanges();
  if (newest && !(store.inspectorOpen && store.inspector === "crm")) {
    unseen = true;
    document.querySelector("#channel-bar .panel-toggle")?.classList.add("has-news");
  }
  draw();
  if (newest) reveal(newest);
}

/** Brings what was just written into sight, inside its own column only. */
function reveal(key) {
  const card = document.querySelector(`[data-record="${CSS.escape(key)}"]`);
  const body = document.getElementById("inspector-body");
  if (!card || !store.inspectorOpen) return;
  const box = card.getBoundingClientRect();
  const frame = body.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom) body.scrollBy({ top: box.top - frame.top - 60, behavior: "smooth" });
}

export function startInspector() {
  on("inspector", draw);
  on("crm", crmChanged);
  on("log", () => { if (store.inspector === "log") draw(); });
  on("workspace", () => { if (store.inspector === "faults") draw(); });
}
