// Takes the picture of the page for the site: `DOVETAIL_E2E_TOOLS=~/.cache/dovetail-e2e node tests/end_to_end/play/picture.mjs`.
// `python -m tests.end_to_end play` installs the browser there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { root, withPage } from "./page.mjs";

const target = join(root, "docs", "drawings", "play.png");
const most = 256;     // colours of a palette

await withPage(async (page) => {
  await page.write("((|))");
  await page.view.fill("#tried", "x)");
  await page.until("trial", "After");
  await page.settled();
  const taken = await page.view.screenshot({ fullPage: true, animations: "disabled", caret: "hide", scale: "css" });
  const blank = await page.view.context().newPage();
  const { width, height, pixels } = await blank.evaluate(readPixels, taken.toString("base64"));
  writeFileSync(target, encode(width, height, Uint32Array.from(pixels)));
}, { viewport: { width: 1000, height: 700 }, colorScheme: "light" });

/** Return width, height and the pixels of a picture, each as 0xRRGGBB; runs in the browser, which reads every PNG. */
async function readPixels(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
  const pixels = [];
  for (let at = 0; at < data.length; at += 4) {
    pixels.push(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  }
  return { width: bitmap.width, height: bitmap.height, pixels };
}

/** Return a PNG with a palette of the commonest colours; a rare colour becomes the nearest of these. */
function encode(width, height, pixels) {
  const counts = new Map();
  for (const pixel of pixels) {
    counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const palette = [...counts].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, most).map(([color]) => color);
  const places = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]));
  const rows = Buffer.alloc((width + 1) * height);     // each row begins with its filter, 0 for none
  pixels.forEach((pixel, at) => {
    rows[at + Math.floor(at / width) + 1] = places.get(pixel);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);     // eight bits a pixel, by palette
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", header), chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0)),
  ]);
}

function channels(color) {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

/** Return the place of the palette's colour that is nearest to a colour. */
function nearest(palette, color) {
  const wanted = channels(color);
  const distances = palette.map((each) => channels(each).reduce((sum, value, at) => sum + (value - wanted[at]) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
