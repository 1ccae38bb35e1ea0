// Starts the page: learns where it is, draws, and follows the address bar and the live line.

import { forgetLog, loadAll, loadMessages, loadReplies, loadViews, loadWorkspace, send } from "./api.js";
import { closeThread, startConversation } from "./conversation.js";
import { forgetChanges } from "./crm.js";
import { startInspector } from "./inspector.js";
import { listen } from "./live.js";
import { closeDrawer, startSidebar } from "./sidebar.js";
import { become, channelById, emit, go, hashFor, on, ownDm, readHash, showInspector, store, userById, users, visibleChannels } from "./state.js";
import { startViews } from "./views.js";

/** The address bar decides the place; an unknown or foreign channel leads to the first one. */
async function follow() {
  const asked = readHash();
  const channel = channelById(asked.channel);
  if (!channel && !asked.home) return go(visibleChannels()[0]?.id || "");
  if (channel?.user && channel.user !== store.user) become(channel.user);
  const moved = store.channel !== (channel?.id || "");
  store.channel = channel?.id || "";
  if (moved) store.messages = [];
  if (store.thread !== asked.thread) store.replies = [];
  store.thread = asked.thread;
  store.unread.delete(store.channel);
  emit("place");
  if (asked.home && ownDm()) await send("open_home", { user: store.user }); // another company's people have no Home here
  else if (moved && channel.kind === "im") await send("open_dm", { user: store.user });
  return Promise.all([store.channel && loadMessages(), store.thread && loadReplies(), loadViews()]);
}

/** A permalink as Slack writes it (/archives/C0MARCHE/p1700000000000100?thread_ts=…) becomes the page's own address. */
function followPermalink() {
  const [, channel, ts] = /^\/archives\/(\w+)(?:\/p(\d{7,}))?/.exec(location.pathname) || [];
  if (!channel) return;
  const dotted = ts && `${ts.slice(0, -6)}.${ts.slice(-6)}`;
  const root = new URLSearchParams(location.search).get("thread_ts") || dotted || "";
  history.replaceState(null, "", `/${hashFor(channel, root)}`);
}

function keys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (document.body.classList.contains("drawer-open")) closeDrawer();
    else if (store.inspectorOpen && window.matchMedia("(max-width: 1279px)").matches) showInspector(null);
    else if (store.thread) closeThread();
  });
}

async function start() {
  followPermalink();
  startSidebar();
  startConversation();
  startInspector();
  startViews();
  keys();
  await loadWorkspace();
  if (!store.workspace) return setTimeout(() => location.reload(), 3000);
  if (!userById(store.user)) become(users()[0]?.id || "");
  on("user", () => { loadMessages(); loadReplies(); loadViews(); });
  on("reset", () => { forgetChanges(); forgetLog(); go(store.channel); loadAll(); });
  window.addEventListener("hashchange", follow);
  emit("inspector");
  await follow();
  loadAll();
  listen();
  document.body.classList.add("ready");
  return null;
}

start();
