// The sidebar: the firm, its places, the bot's process, and whose eyes one looks through.

import { send } from "./api.js";
import { askConfirm } from "./dialogs.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { avatar, botMark } from "./people.js";
import { become, bot, currentChannel, emit, go, on, ownDm, placeName, readHash, store, userById, users, visibleChannels } from "./state.js";
import { toast } from "./toast.js";

let pending = ""; // the process action under way

function place(channel, mark, label) {
  const current = (channel?.id || "") === store.channel;
  const unread = channel && store.unread.has(channel.id);
  return h("button", {
    type: "button", class: `place${unread ? " unread" : ""}`, "aria-current": current ? "page" : null, data: { place: channel?.id || "accueil" },
    onclick: () => { closeDrawer(); go(channel?.id || ""); },
  }, mark, h("span", null, label), unread && h("span", { class: "sr-only" }, " (non lu)"));
}

function status() {
  const { process = {}, transport = {} } = store.workspace;
  if (pending) return { tone: "wait", text: { stop: "arrêt en cours…", start: "démarrage…", restart: "redémarrage…" }[pending] };
  if (transport.connected) return { tone: "on", text: transport.mode === "http" ? "en ligne (HTTP)" : "en ligne" };
  if (process.running) return { tone: "wait", text: "se connecte…" };
  if (process.managed && process.wanted) return { tone: "wait", text: "tombé, relance…" };
  return { tone: "off", text: process.managed ? "arrêté" : "pas connecté" };
}

async function control(action) {
  pending = action;
  draw();
  const answer = await send("process", { action });
  pending = "";
  if (answer) store.workspace.process = answer;
  draw();
}

function botPanel() {
  const { tone, text } = status();
  const { managed, running } = store.workspace.process || {};
  const off = Boolean(pending);
  return h("div", { class: "bot-panel" }, botMark(),
    h("div", { class: "bot-state" }, h("strong", null, bot().name), h("span", { class: `state ${tone}`, role: "status" }, h("i", { class: "dot" }), text)),
    managed && h("div", { class: "bot-buttons" },
      running
        ? iconButton("stop", `Arrêter ${bot().name}`, () => control("stop"), { disabled: off })
        : iconButton("play", `Démarrer ${bot().name}`, () => control("start"), { disabled: off }),
      iconButton("restart", `Redémarrer ${bot().name}`, () => control("restart"), { disabled: off || !running })));
}

function userSwitch() {
  const me = userById(store.user);
  return h("div", { class: "user-switch" },
    h("p", { class: "side-title", id: "qui" }, "Vous êtes"),
    h("div", { class: "faces-row", role: "radiogroup", "aria-labelledby": "qui" }, users().map((user) =>
      h("button", { type: "button", role: "radio", "aria-checked": String(user.id === store.user), "aria-label": `${user.name}, ${user.title || ""}`,
        title: `${user.name} (${user.title || ""})`, data: { user: user.id }, onclick: () => switchTo(user.id) }, avatar(user)))),
    h("p", { class: "me" }, h("strong", null, me?.name), h("span", null, me?.title)));
}

/** The next user keeps the channel, except where only the former one may look. */
function switchTo(userId) {
  const channel = currentChannel();
  const wasIm = channel?.kind === "im";
  become(userId);
  emit("user");
  const allowed = !channel || !channel.members?.length || channel.members.includes(userId);
  if (wasIm) go(ownDm()?.id || "");
  else if (channel && !allowed) go(visibleChannels()[0]?.id || "");
  else go(store.channel, readHash().thread);
}

async function reset() {
  const sure = await askConfirm({
    title: "Remettre le bac à sable à zéro ?", style: "danger", confirm: "Tout remettre à zéro",
    text: "Messages, fiches du CRM, fenêtres et journal reviennent à leur état de départ.",
  });
  if (!sure || !(await send("reset", {}))) return;
  toast("Le bac à sable est revenu à son état de départ.", "info");
}

function draw() {
  if (!store.workspace) return;
  const channels = visibleChannels();
  const dm = ownDm();
  const focused = document.activeElement?.closest("#sidebar") && document.activeElement.getAttribute("aria-label");
  const focusedPlace = document.activeElement?.dataset?.place;
  const sidebar = document.getElementById("sidebar");
  fill(sidebar,
    h("header", { class: "firm" }, h("h1", null, store.workspace.team.name.replace(/\s*\(fictif\)/, ""), h("small", null, "cabinet fictif")),
      iconButton("close", "Fermer le menu", closeDrawer, { class: "icon-button drawer-close" })),
    h("div", { class: "places" },
      place(null, icon("home"), "Accueil"),
      h("p", { class: "side-title" }, "Salons"),
      channels.map((channel) => place(channel, icon(channel.kind === "channel" ? "hash" : "lock"), placeName(channel))),
      h("p", { class: "side-title" }, "Messages directs"),
      dm && place(dm, botMark("small"), bot().name)),
    h("div", { class: "side-foot" }, botPanel(), userSwitch(),
      h("button", { type: "button", class: "reset", onclick: reset }, icon("reset", 15), "Remettre à zéro")));
  const again = focusedPlace ? `[data-place="${CSS.escape(focusedPlace)}"]` : focused && `[aria-label="${CSS.escape(focused)}"]`;
  if (again) sidebar.querySelector(again)?.focus();
}

export const openDrawer = () => {
  document.body.classList.add("drawer-open");
  document.querySelector("#sidebar .place")?.focus();
};
export const closeDrawer = () => document.body.classList.remove("drawer-open");

export function startSidebar() {
  on("workspace place unread user", draw);
  document.getElementById("veil").addEventListener("click", closeDrawer);
}
