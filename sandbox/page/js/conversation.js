// The conversation: the channel's messages, the open thread, their two message boxes.

import { loadMessages, loadReplies } from "./api.js";
import { makeComposer } from "./composer.js";
import { fill, h, icon, iconButton } from "./dom.js";
import { drawMessages } from "./messages.js";
import { botMark } from "./people.js";
import { bot, currentChannel, go, isBot, on, placeName, showInspector, store } from "./state.js";
import { follow, watch } from "./scrolling.js";
import { openDrawer } from "./sidebar.js";
import { suggestionsFor } from "./suggestions.js";

const FRESH_S = 180;
const byId = (id) => document.getElementById(id);
const isDirect = () => currentChannel()?.kind === "im";
const considered = new Map(); // channel -> ts of the newest root already looked at for opening its thread
let drawnChannel = "";
let drawnThread = "";
let main;
let side;

const placeLabel = () => (isDirect() ? bot().name : `${currentChannel()?.kind === "mpim" ? "" : "#"}${placeName(currentChannel())}`);

function drawBar() {
  const channel = currentChannel();
  const lead = !channel ? icon("home") : isDirect() ? botMark("small") : icon(channel.kind === "channel" ? "hash" : "lock");
  const title = !channel ? "Accueil" : isDirect() ? bot().name : placeName(channel);
  const about = !channel ? `L'application ${bot().name}` : isDirect() ? "Message direct" : channel.kind === "private" ? "Salon privé" : channel.kind === "mpim" ? "Message de groupe" : channel.shared_with ? `Salon partagé avec ${channel.shared_with}` : `${channel.members?.length || 0} membres`;
  const toggled = document.activeElement?.classList.contains("panel-toggle");
  fill(byId("channel-bar"), iconButton("menu", "Ouvrir le menu", openDrawer, { class: "icon-button drawer-open-button" }),
    h("h2", null, lead, h("span", null, title)), h("span", { class: "about" }, about),
    h("button", { type: "button", class: "panel-toggle", "aria-pressed": String(store.inspectorOpen), "aria-controls": "inspector",
      onclick: () => showInspector(store.inspectorOpen ? null : store.inspector) }, icon("panel"), h("span", null, "CRM et journal")));
  if (toggled) byId("channel-bar").querySelector(".panel-toggle").focus();
  document.title = `${isDirect() || !channel ? title : `#${title}`} · QuartierScope`;
}

function emptyChannel() {
  const say = (question) => main.submit(isDirect() ? question : `<@${bot().user_id}> ${question}`);
  return h("div", { class: "empty", data: { key: "vide" } }, botMark("large"),
    h("h3", null, isDirect() ? `Parlez à ${bot().name}` : `Bienvenue dans ${placeLabel()}`),
    h("p", null, isDirect()
      ? "Ici, pas besoin de mention\u00a0: écrivez simplement votre question."
      : `Mentionnez ${bot().name} dans votre message\u00a0: la réponse arrive dans le fil, avec ses sources.`),
    h("p", { class: "side-title" }, "Pour commencer"),
    h("div", { class: "suggestions" }, suggestionsFor(currentChannel()).map((question) =>
      h("button", { type: "button", class: "suggestion", onclick: () => say(question) }, h("span", null, question.replace(/ ([?!:;»])/g, "\u00a0$1")), icon("send", 16)))));
}

function drawChannel() {
  if (!store.channel) return;
  const container = byId("messages");
  const jump = drawnChannel !== store.channel + store.user;
  if (jump) container.replaceChildren();
  drawnChannel = store.channel + store.user;
  container.classList.toggle("is-empty", !store.messages.length);
  if (!store.messages.length) {
    const sign = JSON.stringify([store.channel, suggestionsFor(currentChannel())]);
    if (container.dataset.empty !== sign || !container.querySelector(".empty")) fill(container, emptyChannel());
    container.dataset.empty = sign;
    return;
  }
  container.querySelector(".empty")?.remove();
  drawMessages(container, store.messages, { inThread: false, jump });
  openFreshThread();
}

/** A question just asked opens its own thread, once, so that one sees the answer arrive. */
function openFreshThread() {
  const roots = store.messages.filter((message) => !isBot(message) && !message.ephemeral_to && !message.thread_broadcast);
  const newest = roots.at(-1);
  if (!newest || considered.get(store.channel) === newest.ts) return;
  const addressed = isDirect() ? newest.reply_count > 0 : (newest.text || "").includes(`<@${bot().user_id}>`);
  if (!addressed) return;
  considered.set(store.channel, newest.ts);
  const own = newest.user === store.user;
  const wide = window.matchMedia("(min-width: 900px)").matches;
  const typing = document.activeElement?.closest("#thread-composer") && side.isBusy();
  if (Date.now() / 1000 - Number(newest.ts) > FRESH_S || typing || (!wide && !own)) return;
  if (store.thread && !own) return;
  go(store.channel, newest.ts);
  // The next words are most often a follow-up; on a phone this would raise the keyboard over the answer.
  if (own && wide && !main.isBusy()) setTimeout(side.focus);
}

/** A thread outlives its first message: a tombstone stands for it. */
const withRoot = (replies) => (replies[0].ts === store.thread ? replies : [{ ts: store.thread, subtype: "tombstone" }, ...replies]);

function drawThread() {
  const open = Boolean(store.channel && store.thread);
  byId("thread").hidden = !open;
  document.body.classList.toggle("with-thread", open);
  if (!open) {
    drawnThread = "";
    return;
  }
  const container = byId("replies");
  const jump = drawnThread !== store.thread;
  if (jump) container.replaceChildren();
  drawnThread = store.thread;
  if (store.replies.length) drawMessages(container, withRoot(store.replies), { inThread: true, jump });
  else if (!jump) fill(container, h("p", { class: "empty-note", data: { key: "vide" } }, "Ce fil n'existe plus."));
}

function drawPlace() {
  const home = !store.channel;
  byId("home").hidden = !home;
  byId("conversation").hidden = home;
  drawBar();
  fill(byId("thread-bar"), iconButton("close", "Fermer le fil", closeThread, { class: "icon-button thread-close" }),
    h("h2", null, "Fil"), h("span", { class: "about" }, placeLabel()));
  const status = currentChannel()?.agent?.[store.thread]?.status;
  byId("thread-status").textContent = status ? `${bot().name} ${status}` : "";
  if (home) return drawThread();
  main.refresh();
  side.refresh();
  return drawThread();
}

export function closeThread() {
  go(store.channel);
  main.focus();
}

export function startConversation() {
  main = makeComposer(byId("composer"), {
    id: "saisie", label: () => (isDirect() ? `Écrire à ${bot().name}` : `Écrire dans ${placeLabel()}`),
    place: () => ({ channel: store.channel }), needsMention: () => !isDirect(), sent: () => { follow(byId("messages")); loadMessages(); },
  });
  side = makeComposer(byId("thread-composer"), {
    id: "saisie-fil", label: () => "Répondre dans le fil", place: () => ({ channel: store.channel, thread_ts: store.thread }),
    needsMention: () => false, sent: () => { follow(byId("replies")); loadReplies(); },
  });
  watch(byId("messages"), byId("composer"));
  watch(byId("replies"), byId("thread-composer"));
  on("place workspace user", drawPlace);
  on("workspace", drawChannel);
  on("messages", drawChannel);
  on("replies", drawThread);
  on("inspector", drawBar);
  on("live", () => { byId("offline").hidden = store.live; });
  on("reset", () => considered.clear());
}
