// The few dozen shortcodes that people and bots really type; an unknown one stays as written.

const GLYPHS = {
  "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", wave: "👋", pray: "🙏", clap: "👏", raised_hands: "🙌",
  ok_hand: "👌", muscle: "💪", point_right: "👉", point_left: "👈", point_down: "👇", point_up: "☝️", eyes: "👀",
  smile: "😄", slightly_smiling_face: "🙂", grinning: "😀", wink: "😉", joy: "😂", thinking_face: "🤔", sob: "😭",
  heart: "❤️", tada: "🎉", sparkles: "✨", fire: "🔥", rocket: "🚀", star: "⭐", bulb: "💡", zap: "⚡",
  white_check_mark: "✅", heavy_check_mark: "✔️", ballot_box_with_check: "☑️", x: "❌", no_entry: "⛔", no_entry_sign: "🚫",
  warning: "⚠️", rotating_light: "🚨", information_source: "ℹ️", question: "❓", exclamation: "❗", bangbang: "‼️",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", alarm_clock: "⏰", calendar: "📅", date: "📅", spiral_calendar_pad: "🗓️",
  clock1: "🕐", house: "🏠", house_with_garden: "🏡", office: "🏢", bank: "🏦", classical_building: "🏛️", cityscape: "🏙️",
  moneybag: "💰", euro: "💶", credit_card: "💳", chart_with_upwards_trend: "📈", chart_with_downwards_trend: "📉",
  bar_chart: "📊", abacus: "🧮", mag: "🔍", mag_right: "🔎", link: "🔗", paperclip: "📎", pushpin: "📌", round_pushpin: "📍",
  memo: "📝", pencil: "📝", pencil2: "✏️", page_facing_up: "📄", clipboard: "📋", books: "📚", book: "📖", bookmark: "🔖",
  scales: "⚖️", lock: "🔒", unlock: "🔓", key: "🔑", gear: "⚙️", wrench: "🔧", hammer: "🔨", robot_face: "🤖",
  speech_balloon: "💬", mega: "📣", bell: "🔔", no_bell: "🔕", email: "✉️", inbox_tray: "📥", outbox_tray: "📤",
  arrow_right: "➡️", arrow_left: "⬅️", arrow_up: "⬆️", arrow_down: "⬇️", leftwards_arrow_with_hook: "↩️",
  arrows_counterclockwise: "🔄", repeat: "🔁", wastebasket: "🗑️", large_green_circle: "🟢", large_yellow_circle: "🟡",
  large_orange_circle: "🟠", red_circle: "🔴", large_blue_circle: "🔵", white_circle: "⚪", grey_question: "❔", left_right_arrow: "↔️", ocean: "🌊", droplet: "💧",
  snowflake: "❄️", sunny: "☀️", earth_africa: "🌍", world_map: "🗺️", fr: "🇫🇷", "flag-fr": "🇫🇷", newspaper: "📰",
  bust_in_silhouette: "👤", busts_in_silhouette: "👥", double_vertical_bar: "⏸️", black_square_for_stop: "⏹️", handshake: "🤝", shield: "🛡️", one: "1️⃣", two: "2️⃣", three: "3️⃣",
};

// For a browser without an emoji font (a bare server's Chromium), where a glyph would show as an empty box.
const SIGNS = {
  white_check_mark: "✓", heavy_check_mark: "✓", ballot_box_with_check: "☑", x: "✕", no_entry: "⊘", no_entry_sign: "⊘", warning: "⚠",
  information_source: "ℹ", leftwards_arrow_with_hook: "↩", arrow_right: "→", arrow_left: "←", arrow_up: "↑", arrow_down: "↓", star: "★",
  page_facing_up: "▤", hourglass_flowing_sand: "◷", wastebasket: "⌫",
  calendar: "▦", large_green_circle: "●", double_vertical_bar: "‖", black_square_for_stop: "■", white_circle: "○", grey_question: "?", left_right_arrow: "↔", hourglass: "◷",
};

let drawable = null;
function canDraw() {
  if (drawable !== null) return drawable;
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const print = (glyph) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = "24px sans-serif";
    pen.fillText(glyph, 4, 30);
    return pen.getImageData(0, 0, 40, 40).data.join();
  };
  drawable = print("\u{1F3E0}") !== print("\u{10FFFE}") && print("\u{1F3E0}") !== print("\u{1F44B}");
  return drawable;
}

/** "tada" -> its glyph, or ":tada:" when unknown. */
export const emoji = (name) => (canDraw() ? GLYPHS : SIGNS)[name.split("::")[0]] || `:${name}:`;
