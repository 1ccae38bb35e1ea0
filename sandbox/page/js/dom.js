// Building DOM without ever parsing HTML: every string becomes a text node or an attribute value.

const SVG = "http://www.w3.org/2000/svg";

/** h("p", {class: "x", onclick: f, "aria-label": "…"}, "text", node, null) -> Element */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) setProp(element, name, value);
  append(element, children);
  return element;
}

function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "value" || name === "checked" || name === "selected" || name === "disabled") element[name] = value;
  else if (name === "vars") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
  else element.setAttribute(name, value === true ? "" : String(value));
}

export function append(parent, children) {
  for (const child of [children].flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return parent;
}

export function fill(parent, ...children) {
  parent.replaceChildren();
  return append(parent, children);
}

/** Keyed list update: untouched items keep their node, so focus, selections and open menus survive a refresh. */
export function reconcile(container, items, { key, signature, render }) {
  const known = new Map([...container.children].map((node) => [node.dataset.key, node]));
  let cursor = container.firstElementChild;
  for (const item of items) {
    const id = String(key(item));
    const sign = signature(item);
    let node = known.get(id);
    known.delete(id);
    if (!node || node.dataset.sign !== sign) {
      const fresh = render(item, Boolean(node));
      fresh.dataset.key = id;
      fresh.dataset.sign = sign;
      if (node) {
        const hadFocus = node.contains(document.activeElement);
        if (cursor === node) cursor = fresh;
        node.replaceWith(fresh);
        if (hadFocus) focusQuietly(fresh);
      }
      node = fresh;
    }
    if (node === cursor) cursor = cursor.nextElementSibling;
    else container.insertBefore(node, cursor);
  }
  for (const leftover of known.values()) leftover.remove();
}

function focusQuietly(element) {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

const ICONS = {
  home: "M4 11.5 12 5l8 6.5V20h-5.5v-5h-5v5H4z",
  hash: "M9.5 4 8 20M16 4l-1.5 16M4.5 9h16M3.5 15h16",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  send: "M4.5 12 20 4.5 15.5 20l-4-6.5zM11.5 13.5 20 4.5",
  reply: "M10 7 4.5 12.5 10 18M5 12.5h9a5 5 0 0 1 5 5V19",
  edit: "M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5z",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  play: "M8 5.5v13l10-6.5z",
  stop: "M7 7h10v10H7z",
  restart: "M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5",
  reset: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4.5h4.5",
  panel: "M4 5h16v14H4zM14.5 5v14",
  up: "M7 14V20H4v-6zM7 14l4-9c1.7 0 2.5 1 2.2 2.8L12.6 11H19c1 0 1.6.9 1.3 1.9L18.6 19c-.2.7-.7 1-1.4 1H7",
  down: "M17 10V4h3v6zM17 10l-4 9c-1.7 0-2.5-1-2.2-2.8l.6-3.2H5c-1 0-1.6-.9-1.3-1.9L5.4 5c.2-.7.7-1 1.4-1H17",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  arrow: "M12 5v13M6.5 12.5 12 18l5.5-5.5",
  chat: "M5 5h14v11h-8l-4 3.5V16H5z",
  clip: "M19 11.5l-7.3 7.3a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.5 1.5 0 0 1-2.2-2.2l7-7",
  file: "M7 3.5h7l4 4V20.5H7zM14 3.5v4h4",
  eye: "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  note: "M5 4h14v11l-4.5 5H5zM14.5 20v-5H19M8.5 8.5h7M8.5 12h4",
  task: "M4.5 4.5h15v15h-15zM8.5 12l2.5 2.5 5-5.5",
  deal: "M4 8h16v11H4zM9 8V5h6v3M4 13h16",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c.8-4 3.6-6 7.5-6s6.7 2 7.5 6",
};

export function icon(name, size = 18) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
    "stroke-width": name === "more" ? 3 : 1.7, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
  })) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] || ICONS.more);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, onclick, extra = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...extra }, icon(name));
}
