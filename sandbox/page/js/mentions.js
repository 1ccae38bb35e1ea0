// Completion on "@" inside the message box: arrows choose, Enter or Tab takes, Escape closes.

import { pill } from "./composer.js";
import { fill, h } from "./dom.js";
import { avatar, botMark } from "./people.js";
import { bot, users } from "./state.js";

const TYPED = /(^|\s)@([\p{L}\p{N}-]*)$/u;
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function candidates(typed) {
  const everyone = [{ id: bot().user_id, name: bot().name, title: "application" }, ...users()];
  return everyone.filter((one) => bare(one.name).split(/\s+/).some((word) => word.startsWith(bare(typed))));
}

/** The "@…" just before the caret, or null. */
function typedAt() {
  const { anchorNode: node, anchorOffset: offset, isCollapsed } = getSelection();
  if (!isCollapsed || node?.nodeType !== Node.TEXT_NODE) return null;
  const found = TYPED.exec(node.data.slice(0, offset));
  return found && { node, from: offset - found[2].length - 1, to: offset, typed: found[2] };
}

export function startMentions(box, menu, changed) {
  let shown = [];
  let active = 0;
  let at = null;

  const hide = () => {
    menu.hidden = true;
    shown = [];
    box.removeAttribute("aria-activedescendant");
  };

  function take(person) {
    const rest = at.node.splitText(at.from);
    rest.data = rest.data.slice(at.to - at.from).replace(/^\s?/, " ");
    const node = pill(person.id, person.name);
    rest.before(node);
    getSelection().collapse(rest, 1);
    hide();
    changed();
  }

  function paint() {
    fill(menu, shown.map((person, index) => h("button", {
      type: "button", role: "option", id: `${box.id}-choix-${index}`, "aria-selected": String(index === active), tabindex: -1,
      onmousedown: (event) => { event.preventDefault(); take(person); },
    }, person.id === bot().user_id ? botMark("small") : avatar(person, "small"), h("strong", null, person.name), h("span", { class: "meta" }, person.title))));
    box.setAttribute("aria-activedescendant", `${box.id}-choix-${active}`);
  }

  function look() {
    at = typedAt();
    shown = at ? candidates(at.typed) : [];
    active = 0;
    menu.hidden = !shown.length;
    if (shown.length) paint();
    else hide();
  }

  box.addEventListener("input", look);
  box.addEventListener("blur", hide);
  box.addEventListener("keydown", (event) => {
    if (!shown.length) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") active = (active + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length;
    else if (event.key === "Enter" || event.key === "Tab") take(shown[active]);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (shown.length) paint();
  });
}
