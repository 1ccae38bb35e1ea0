// The sandbox's JSON API: one function a call, French toasts when one fails, and the loaders that fill the store.

import { bot, emit, store } from "./state.js";
import { toast } from "./toast.js";

// Of several workspaces (`--oauth`), the one that the page's own address names; else the firm's own.
const workspace = new URLSearchParams(location.search).get("workspace") ?? undefined;

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("Le bac à sable ne répond pas. Est-il toujours lancé ?");
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw Object.assign(new Error(body?.error || `Le bac à sable a répondu ${response.status}.`), { status: response.status });
  return body ?? {};
}

const get = (path, params = {}) => {
  const query = new URLSearchParams(Object.entries({ ...params, workspace }).filter(([, value]) => value !== undefined && value !== ""));
  return request(`/sandbox/${path}${query.size ? `?${query}` : ""}`);
};

/** POST; on failure shows a toast and returns null, so that callers only handle the good case. */
export async function send(path, body) {
  try {
    return await request(`/sandbox/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, workspace }),
    });
  } catch (error) {
    toast(error.message);
    return null;
  }
}

/** A click, a submission, a slash command: as `send`, and says so when the application let it go unanswered. */
export async function act(path, body) {
  const answer = await send(path, body);
  if (answer?.acked === false && !answer.errors) toast(`${bot().name} n'a pas répondu dans les 3 secondes${answer.reason ? ` (${answer.reason})` : ""}.`);
  return answer;
}

/** Runs one load at a time; asked again meanwhile, it runs once more afterwards. */
function coalesced(load) {
  let running = null;
  let again = false;
  return function refresh() {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        try {
          await load();
        } catch (error) {
          toast(error.message);
        }
      } while (again);
      running = null;
    })();
    return running;
  };
}

export const loadWorkspace = coalesced(async () => {
  store.workspace = await get("state");
  emit("workspace");
});

export const loadMessages = coalesced(async () => {
  const { channel, user } = store;
  if (!channel) return;
  const { messages } = await get("messages", { channel, user });
  if (channel !== store.channel || user !== store.user) return;
  store.messages = messages;
  emit("messages");
});

export const loadReplies = coalesced(async () => {
  const { channel, thread, user } = store;
  if (!channel || !thread) return;
  // A thread that a reset or a deletion took away is shown as gone; it is no fault of the page's.
  const { messages } = await get("messages", { channel, thread_ts: thread, user }).catch((error) => {
    if (error.status === 404) return { messages: [] };
    throw error;
  });
  if (thread !== store.thread || user !== store.user) return;
  store.replies = messages;
  emit("replies");
});

export const loadViews = coalesced(async () => {
  if (!store.user) return;
  store.views = await get("views", { user: store.user });
  emit("views");
});

export const loadCrm = coalesced(async () => {
  store.crm = await get("crm");
  emit("crm");
});

const LOG_KEPT = 600;
let logCursor = 0;

export const loadLog = coalesced(async () => {
  const { entries } = await get("log", { after: logCursor });
  if (!entries.length) return;
  logCursor = entries.at(-1).n;
  store.log = [...store.log, ...entries].slice(-LOG_KEPT);
  emit("log");
});

export function forgetLog() {
  logCursor = 0;
  store.log = [];
  emit("log");
}

export function loadAll() {
  return Promise.all([loadWorkspace(), loadMessages(), loadReplies(), loadViews(), loadCrm(), loadLog()]);
}
