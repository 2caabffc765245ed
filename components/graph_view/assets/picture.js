// The picture as a file, made in the browser.

const FOOT = 34;

/** Save what the canvas shows, with a line that says what it is. */
export function savePicture(scene, caption, name) {
  const source = scene.canvas.querySelector("canvas");
  const ratio = source.width / source.clientWidth;
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [source.width, source.height + FOOT * ratio];
  const context = sheet.getContext("2d");
  context.fillStyle = scene.tokens.bg;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.drawImage(source, 0, 0);
  context.fillStyle = scene.tokens.muted;
  context.font = `${12 * ratio}px Inter, sans-serif`;
  context.textBaseline = "middle";
  context.fillText(caption, 14 * ratio, source.height + (FOOT / 2) * ratio);
  sheet.toBlob((blob) => download(blob, name), "image/png");
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
