// Slack's `table` block: rows of raw or rich cells, the first row being the header.

import { h } from "./dom.js";
import { richText } from "./richtext.js";

export function renderTable(block) {
  const [head = [], ...rows] = block.rows || [];
  const settings = block.column_settings || [];
  const cell = (tag) => (value, column) =>
    h(tag, { class: `to-${settings[column]?.align || "left"}${settings[column]?.is_wrapped ? " wrapped" : ""}` }, content(value));
  const table = h("table", null,
    h("thead", null, h("tr", null, head.map(cell("th")))),
    h("tbody", null, rows.map((row) => h("tr", null, row.map(cell("td"))))));
  return h("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": "Tableau" }, table);
}

function content(cell) {
  if (!cell) return "";
  if (cell.type === "rich_text") return richText(cell.elements);
  return String(cell.text ?? cell.value ?? "");
}
