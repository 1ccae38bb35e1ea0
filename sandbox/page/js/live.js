// The live line: one EventSource, what each topic makes the page fetch again, and coming back after a cut.

import { forgetLog, loadAll, loadCrm, loadLog, loadMessages, loadReplies, loadViews, loadWorkspace } from "./api.js";
import { follow } from "./demo.js";
import { channelById, emit, store } from "./state.js";

const RETRY_MS = 2000;

const reactions = {
  messages: (event) => {
    if (!event.channel || event.channel === store.channel) {
      loadMessages();
      if (store.thread) loadReplies();
    } else if (channelById(event.channel)) {
      store.unread.add(event.channel);
      emit("unread");
    }
  },
  views: loadViews,
  crm: loadCrm,
  log: loadLog,
  state: loadWorkspace,
  reset: () => emit("reset"),
  demo: follow,
};

export function listen() {
  const source = new EventSource("/sandbox/stream");
  source.onopen = () => {
    const cameBack = !store.live;
    store.live = true;
    emit("live");
    if (cameBack) forgetLog();
    loadAll(); // also at the first opening: what changed since the page read it was told to nobody
  };
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    reactions[event.topic]?.(event);
  };
  source.onerror = () => {
    store.live = false;
    emit("live");
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, RETRY_MS);
  };
}
