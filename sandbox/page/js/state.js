// What the page knows, who listens to it, and where in the workspace the reader is.

export const store = {
  workspace: null, // GET /sandbox/state
  user: localStorage.getItem("qs.user") || "",
  channel: "", // "" while the Home tab is shown
  thread: "", // ts of the open thread's root
  messages: [],
  replies: [],
  views: { home: null, modals: [] },
  crm: null,
  log: [],
  unread: new Set(),
  inspector: ["log", "faults"].find((tab) => tab === localStorage.getItem("qs.inspector")) || "crm",
  inspectorOpen: window.matchMedia("(min-width: 1280px)").matches,
  live: true,
};

const listeners = new Map();

/** Topics: workspace, place, messages, replies, views, crm, log, unread, inspector, live */
export function on(topics, listener) {
  for (const topic of topics.split(" ")) listeners.set(topic, [...(listeners.get(topic) || []), listener]);
}

export function emit(...topics) {
  const due = new Set(topics.flatMap((topic) => listeners.get(topic) || []));
  for (const listener of due) listener();
}

export const users = () => store.workspace?.users || [];
export const bot = () => store.workspace?.bot || { id: "", user_id: "", name: "QuartierScope" };
export const userById = (id) => users().find((user) => user.id === id);
export const channelById = (id) => store.workspace?.channels.find((channel) => channel.id === id);
export const currentChannel = () => channelById(store.channel);
export const ownDm = (user = store.user) =>
  store.workspace?.channels.find((channel) => channel.kind === "im" && channel.user === user);

export function visibleChannels() {
  return (store.workspace?.channels || []).filter(
    (channel) => channel.kind !== "im" && (!channel.members?.length || channel.members.includes(store.user)),
  );
}

export function nameOf(id) {
  if (id && (id === bot().user_id || id === bot().id)) return bot().name;
  return userById(id)?.name || id || "Quelqu'un";
}

/** A channel's name; a message of a few people bears theirs. */
export const placeName = (channel) =>
  (channel?.kind === "mpim" ? channel.members.filter((id) => id !== bot().user_id).map(nameOf).join(", ") : channel?.name) || "";

export const isBot = (message) =>
  Boolean(message.bot_id) || message.subtype === "bot_message" || message.user === bot().user_id;

/** "#/C0MARCHE/1700000.0001" -> {channel, thread}; "#/accueil" -> {channel: "", thread: ""} */
export function readHash() {
  const [channel = "", thread = ""] = decodeURIComponent(location.hash.replace(/^#\/?/, "")).split("/");
  return channel === "accueil" ? { channel: "", thread: "", home: true } : { channel, thread, home: false };
}

export function hashFor(channel, thread = "") {
  if (!channel) return "#/accueil";
  return thread ? `#/${channel}/${thread}` : `#/${channel}`;
}

export function go(channel, thread = "") {
  const target = hashFor(channel, thread);
  if (location.hash !== target) location.hash = target;
}

export function become(userId) {
  store.user = userId;
  localStorage.setItem("qs.user", userId);
}

export function showInspector(tab) {
  store.inspectorOpen = Boolean(tab);
  if (tab) {
    store.inspector = tab;
    localStorage.setItem("qs.inspector", tab);
  }
  emit("inspector");
}
