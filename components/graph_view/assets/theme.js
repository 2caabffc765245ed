// The colours that the canvas is drawn with, by the theme that is on the page. The values are the design's tokens.

const LIGHT = {
  name: "light", bg: "#FFFFFF", text: "#1B1F27", muted: "#565E6B", line: "#E1E4E9", accent: "#4B45C6",
  edge: "#8A929E", faint: "#D9DCE2", same: "#B4BAC4", entity: "#8C93A0",
  added: "#1A7F4B", addedBg: "#E6F4EC", ended: "#C4313D", endedBg: "#FCEBEC", corrected: "#9A6700", correctedBg: "#FBF1DA",
  path: "#B4147D", pathBg: "#FBE9F4", letter: "#7A3963",
};
const DARK = {
  name: "dark", bg: "#0F1115", text: "#E7E9ED", muted: "#9CA4B0", line: "#2B303A", accent: "#A9A6FA",
  edge: "#6B7380", faint: "#3A404A", same: "#4D5562", entity: "#7C8491",
  added: "#4CC38A", addedBg: "#10281D", ended: "#FF7B84", endedBg: "#34181B", corrected: "#E2B340", correctedBg: "#2D240F",
  path: "#FF7AC6", pathBg: "#3A1530", letter: "#D58FB2",
};

/** The tokens of the theme that `host` is shown in. */
export function tokensOf(host) {
  const background = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  return isDark(background) ? DARK : LIGHT;
}

function isDark(colour) {
  const hex = /^#?([0-9a-f]{6})$/i.exec(colour)?.[1];
  const parts = hex ? hex.match(/../g).map((pair) => parseInt(pair, 16)) : (colour.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return 0.21 * parts[0] + 0.72 * parts[1] + 0.07 * parts[2] < 96;
}
