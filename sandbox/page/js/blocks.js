// Block Kit -> DOM nodes. A block type that is not known here is shown as a labelled grey box, never as nothing.

import { weight } from "./attachments.js";
import { append, h, icon } from "./dom.js";
import { control } from "./elements.js";
import { emoji } from "./emoji.js";
import { markdown } from "./markdown.js";
import { inline, mrkdwn, safeUrl, unescape } from "./mrkdwn.js";
import { richText } from "./richtext.js";
import { renderTable } from "./table.js";

const SHORTCODE = /:([a-z0-9_+-]+):/g;

/** The bare string of a text object (or of a string), with emoji. */
export function plain(text) {
  const raw = typeof text === "string" ? text : text?.text || "";
  return unescape(raw).replace(SHORTCODE, (whole, name) => emoji(name));
}

/** A text object -> nodes: mrkdwn or plain text. */
export function textNodes(text) {
  if (!text) return [];
  return text.type === "mrkdwn" ? mrkdwn(text.text, { verbatim: false }) : [plain(text)];
}

/**
 * ctx: {act(element, value, blockId) -> Promise, form?: Form, errors?: {block_id: sentence}}
 * `form` is present in modals and on the Home tab, where unsent values are kept.
 */
export function renderBlocks(blocks, ctx) {
  return (blocks || []).map((block, index) => {
    const blockId = block.block_id || `bloc-${index}`;
    const draw = RENDERERS[block.type] || unknown;
    const node = draw(block, ctx, blockId);
    node.classList.add("block", `block-${block.type}`);
    node.dataset.blockId = blockId;
    return node;
  });
}

const RENDERERS = { section, header, context, actions, divider, image, markdown: markdownBlock, rich_text, table, input, context_actions, file, plan, task_card };

function section(block, ctx, blockId) {
  const body = h("div", { class: "section-body" });
  if (block.text) body.append(h("div", { class: "text" }, textNodes(block.text)));
  if (block.fields?.length) {
    body.append(h("div", { class: "fields" }, block.fields.map((field) => h("div", { class: "text" }, textNodes(field)))));
  }
  const accessory = block.accessory && element(block.accessory, ctx, blockId);
  return h("div", null, body, accessory && h("div", { class: "accessory" }, accessory));
}

function header(block) {
  return h("h4", null, plain(block.text));
}

function context(block) {
  return h("div", null, (block.elements || []).map((item) =>
    item.type === "image" ? picture(item, "tiny") : h("span", { class: "text" }, textNodes(item))));
}

function actions(block, ctx, blockId) {
  return h("div", null, (block.elements || []).map((item) => element(item, ctx, blockId)));
}

function divider() {
  return h("hr");
}

function image(block) {
  return h("figure", null, block.title && h("figcaption", null, plain(block.title)), picture(block, "large"));
}

function picture(item, size) {
  const url = item.image_url || item.slack_file?.url || "";
  const alt = item.alt_text || "Image sans description";
  const safe = /^(https?:\/\/|\/|data:image\/)/i.test(url) ? url : null;
  if (!safe) return h("span", { class: "image-missing" }, alt);
  const node = h("img", { src: safe, alt, class: `image-${size}`, loading: "lazy" });
  node.addEventListener("error", () => node.replaceWith(h("span", { class: "image-missing" }, alt)), { once: true });
  return node;
}

function markdownBlock(block) {
  return h("div", { class: "md" }, markdown(block.text));
}

function rich_text(block) {
  return h("div", null, richText(block.elements));
}

function table(block) {
  return renderTable(block);
}

function input(block, ctx, blockId) {
  const id = `champ-${ctx.form?.id || "x"}-${blockId}`;
  const error = ctx.errors?.[blockId];
  const field = control(block.element, {
    ...ctx, id, blockId, invalid: Boolean(error), label: plain(block.label), dispatch: Boolean(block.dispatch_action),
  });
  const grouped = ["checkboxes", "radio_buttons"].includes(block.element?.type) || block.element?.type?.startsWith("multi_");
  return h(grouped ? "fieldset" : "div", { class: error ? "has-error" : null },
    h(grouped ? "legend" : "label", { for: grouped ? null : id }, plain(block.label),
      block.optional && h("span", { class: "optional" }, " (facultatif)")),
    field,
    block.hint && h("p", { class: "hint" }, plain(block.hint)),
    error && h("p", { class: "field-error", id: `${id}-erreur`, role: "alert" }, error));
}

function context_actions(block, ctx, blockId) {
  return h("div", null, (block.elements || []).map((item) => element(item, ctx, blockId)));
}

const TASK_WORDS = { pending: "en attente", in_progress: "en cours", complete: "fait", error: "échec" };

function task_card(block) {
  const state = TASK_WORDS[block.status] ? block.status : "pending";
  return h("div", { class: `task-${state}` }, h("i", { class: "task-mark", "aria-hidden": "true" }),
    h("span", null, plain(block.title)), h("span", { class: "sr-only" }, ` (${TASK_WORDS[state]})`));
}

function plan(block, ctx) {
  return h("div", null, h("strong", null, plain(block.title)), renderBlocks(block.tasks, ctx));
}

function file(block) {
  return h("div", { class: "file-chip" }, icon("file"), block.external_id || "Fichier");
}

const LOST_FILES = { tombstone: "Fichier supprimé", hidden_by_limit: "Fichier masqué par la limite du forfait" };

/** A shared file: its name leads to its content, its weight beside; an image is shown; what is left of a deleted one is
 *  said as such. */
export function fileChip(item) {
  if (LOST_FILES[item.mode]) return h("span", { class: "file-chip" }, icon("file"), h("span", null, LOST_FILES[item.mode]));
  const name = item.title || item.name || "Fichier";
  const url = safeUrl(item.permalink || item.url_private || "");
  if (url && /^image\/(png|jpeg|gif|webp)$/.test(item.mimetype || "")) {
    const link = h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, picture({ image_url: url, alt_text: item.alt_txt || name }, "large"));
    return h("figure", { class: "file-image" }, h("figcaption", null, name), link);
  }
  const facts = [item.filetype, item.size && weight(item.size)].filter(Boolean).join(" · ");
  const label = [icon("file"), h("span", { class: "file-name" }, name), facts && h("small", null, facts)];
  return url ? h("a", { class: "file-chip", href: url, target: "_blank", rel: "noopener noreferrer" }, label) : h("span", { class: "file-chip" }, label);
}

function element(item, ctx, blockId) {
  if (item.type === "image") return picture(item, "thumb");
  return control(item, { ...ctx, blockId, dispatch: true });
}

/** Everything readable in a value of unknown shape, so that a grey box still tells what was in it. */
function strings(value, found = []) {
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) value.forEach((item) => strings(item, found));
  else if (value && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) if (!["type", "block_id", "action_id", "id"].includes(key)) strings(item, found);
  }
  return found;
}

export function unknown(block) {
  const said = strings(block).join(" · ");
  const box = h("div", { class: "unknown" }, h("span", { class: "unknown-label" }, `Bloc « ${block.type || "sans type"} » non dessiné ici`));
  return append(box, [said && h("span", { class: "text" }, inline(said.slice(0, 600)))]);
}
