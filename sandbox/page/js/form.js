// Unsent values of a modal or of the Home tab, kept in Slack's `view.state.values` shape.

const SHAPES = [
  [/^(static_select|external_select|radio_buttons)$/, "selected_option"],
  [/^(multi_static_select|multi_external_select|checkboxes)$/, "selected_options"],
  [/^datepicker$/, "selected_date"],
  [/^timepicker$/, "selected_time"],
  [/^users_select$/, "selected_user"],
  [/^multi_users_select$/, "selected_users"],
  [/^channels_select$/, "selected_channel"],
  [/^multi_channels_select$/, "selected_channels"],
  [/^conversations_select$/, "selected_conversation"],
  [/^multi_conversations_select$/, "selected_conversations"],
];

function optionOf(element, value) {
  const options = element.options || (element.option_groups || []).flatMap((group) => group.options);
  return options.find((option) => option.value === value) || null;
}

/** (element, raw value) -> {type, selected_option: {...}} and so on, as Slack sends it. */
export function stateOf(element, value) {
  const key = SHAPES.find(([pattern]) => pattern.test(element.type))?.[1] || "value";
  if (key === "selected_option") return { type: element.type, [key]: optionOf(element, value) };
  if (key === "selected_options") return { type: element.type, [key]: [value ?? []].flat().map((one) => optionOf(element, one)).filter(Boolean) };
  if (key.endsWith("s") && key !== "value") return { type: element.type, [key]: [value ?? []].flat() };
  return { type: element.type, [key]: value ?? null };
}

export function makeForm(id) {
  const raw = new Map();
  const states = {};
  return {
    id,
    read: (blockId, actionId) => raw.get(`${blockId}/${actionId}`),
    write(blockId, element, value) {
      raw.set(`${blockId}/${element.action_id}`, value);
      states[blockId] = { ...states[blockId], [element.action_id]: stateOf(element, value) };
    },
    /** Only the blocks that the view still shows. */
    values: (blocks) => Object.fromEntries(blocks.flatMap((b) => (states[b.block_id] ? [[b.block_id, states[b.block_id]]] : []))),
  };
}
