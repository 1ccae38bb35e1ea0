// How people and moments are shown: avatars with initials, hours, days.

import { h } from "./dom.js";
import { bot, isBot, nameOf, userById } from "./state.js";

const initials = (name) =>
  name.replace(/\(.*?\)/g, "").split(/[\s-]+/).filter(Boolean).map((word) => word[0]).slice(0, 2).join("").toUpperCase();

/** Slack writes colours without "#". */
const tint = (color) => (/^[0-9a-f]{6}$/i.test(color || "") ? `#${color}` : color || "#64748b");

export function botMark(size = "") {
  return h("span", { class: `avatar mark ${size}`, "aria-hidden": "true" }, h("img", { src: "/static/icon.svg", alt: "" }));
}

export function avatar(user, size = "") {
  return h("span", { class: `avatar ${size}`, "aria-hidden": "true", vars: { "--tint": tint(user?.color) } }, initials(user?.name || "?"));
}

export function avatarOf(message, size = "") {
  if (isBot(message)) {
    const own = !message.bot_id || message.bot_id === bot().id;
    return own ? botMark(size) : avatar({ name: message.username || "Application", color: "#64748b" }, size);
  }
  return avatar(userById(message.user) || { name: message.username || message.user }, size);
}

export function authorName(message) {
  if (isBot(message) && message.bot_id && message.bot_id !== bot().id) return message.username || "Application";
  return isBot(message) ? bot().name : nameOf(message.user);
}

const asDate = (ts) => new Date(Number(ts) * 1000);

export const clock = (ts) => asDate(ts).toLocaleTimeString("fr-FR", { hour: "2-digit", minute: "2-digit" });
export const fullDate = (ts) => asDate(ts).toLocaleString("fr-FR", { dateStyle: "full", timeStyle: "medium" });

export function dayOf(ts, now = new Date()) {
  const date = asDate(ts);
  const midnight = (one) => new Date(one.getFullYear(), one.getMonth(), one.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(date)) / 86400000);
  if (days === 0) return "Aujourd'hui";
  if (days === 1) return "Hier";
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return date.toLocaleDateString("fr-FR", { weekday: "long", day: "numeric", month: "long", year });
}
