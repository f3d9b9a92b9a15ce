import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPng } from './lib/png.mjs';
import { main, Stop } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { quiet } from './lib/run.mjs';

/**
 * `node scripts/icons.mjs`: draws every committed icon from the SVGs in resources/icons. Run by hand after a drawing
 * changed; needs rsvg-convert (Debian: librsvg2-bin).
 */
const source = inProject('resources', 'icons');
const traySizes = { linux: [22, 24, 44, 48], windows: [16, 20, 24, 32] };
const appSizes = [16, 24, 32, 48, 64, 128, 256, 512];
/** Apple's four-letter types with their pixels; the last five at double density. */
const icnsTypes = [
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
  ['ic10', 1024],
];

await main(async () => {
  const tray = inProject('resources', 'tray');
  const app = inProject('resources', 'app');
  for (const folder of [tray, app]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  for (const file of readdirSync(source).filter((name) => name.startsWith('tray-'))) {
    const name = basename(file, '.svg');
    const drawing = { black: readFileSync(join(source, file), 'utf8') };
    drawing.white = drawing.black.replaceAll('#000', '#fff');
    writeFileSync(join(tray, `${name}Template.png`), await draw(drawing.black, 16));
    writeFileSync(join(tray, `${name}Template@2x.png`), await draw(drawing.black, 32));
    for (const colour of ['black', 'white']) {
      for (const size of traySizes.linux)
        writeFileSync(join(tray, `${name}-${colour}-${size}.png`), await draw(drawing[colour], size));
      writeFileSync(join(tray, `${name}-${colour}.ico`), ico(await drawAll(drawing[colour], traySizes.windows)));
    }
  }
  const large = readFileSync(join(source, 'app.svg'), 'utf8');
  const small = readFileSync(join(source, 'app-small.svg'), 'utf8');
  const drawApp = (size) => draw(size < 64 ? small : large, size);
  const images = new Map();
  for (const size of [...appSizes, 1024]) images.set(size, await drawApp(size));
  for (const size of appSizes) writeFileSync(join(app, `${size}x${size}.png`), images.get(size));
  writeFileSync(
    join(app, 'icon.ico'),
    ico(new Map([16, 24, 32, 48, 64, 128, 256].map((size) => [size, images.get(size)]))),
  );
  writeFileSync(join(app, 'icon.icns'), icns(images));
});

async function drawAll(svg, sizes) {
  const images = new Map();
  for (const size of sizes) images.set(size, await draw(svg, size));
  return images;
}

async function draw(svg, size) {
  const scratch = inProject('resources', '.drawing.svg');
  const target = inProject('resources', '.drawing.png');
  try {
    writeFileSync(scratch, svg);
    const { code, output } = await quiet('rsvg-convert', [
      '-w',
      String(size),
      '-h',
      String(size),
      '-o',
      target,
      scratch,
    ]);
    if (code !== 0) throw new Stop(`rsvg-convert failed: ${output}`);
    return readFileSync(target);
  } finally {
    rmSync(scratch, { force: true });
    rmSync(target, { force: true });
  }
}

/**
 * A Windows icon. Only the largest image is a PNG: the smaller ones are bitmaps, which everything that reads icons
 * understands.
 * @param {Map<number, Buffer>} pngs by size in pixels, 256 at most
 */
function ico(pngs) {
  const header = Buffer.alloc(6 + 16 * pngs.size);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pngs.size, 4);
  const images = [];
  let [entry, offset] = [6, header.length];
  for (const [size, png] of pngs) {
    const image = size < 256 ? bitmap(png) : png;
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(image.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    entry += 16;
    offset += image.length;
    images.push(image);
  }
  return Buffer.concat([header, ...images]);
}

/** Blue, green, red, alpha, the lowest row first; below it one bit per pixel for programs that know no alpha. */
function bitmap(png) {
  const { width, height, rgba } = readPng(png);
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const colours = Buffer.alloc(width * height * 4);
  const maskStride = Math.ceil(width / 32) * 4;
  const mask = Buffer.alloc(maskStride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4;
      const row = height - 1 - y;
      const [red, green, blue, alpha] = rgba.subarray(from, from + 4);
      colours.set([blue, green, red, alpha], (row * width + x) * 4);
      if (alpha === 0) mask[row * maskStride + (x >> 3)] |= 0x80 >> (x & 7);
    }
  }
  return Buffer.concat([header, colours, mask]);
}

function icns(images) {
  const parts = icnsTypes.map(([type, size]) => chunk(type, images.get(size)));
  return chunk('icns', Buffer.concat(parts));
}

function chunk(type, data) {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(data.length + 8, 4);
  return Buffer.concat([header, data]);
}
