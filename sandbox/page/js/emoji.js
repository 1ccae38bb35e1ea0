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
  large_orange_circle: "🟠", red_circle: "🔴", large_blue_circle: "🔵", white_circle: "⚪", ocean: "🌊", droplet: "💧",
  snowflake: "❄️", sunny: "☀️", earth_africa: "🌍", world_map: "🗺️", fr: "🇫🇷", "flag-fr": "🇫🇷", newspaper: "📰",
  bust_in_silhouette: "👤", busts_in_silhouette: "👥", handshake: "🤝", shield: "🛡️", one: "1️⃣", two: "2️⃣", three: "3️⃣",
};

export const emoji = (name) => GLYPHS[name.split("::")[0]] || `:${name}:`;
