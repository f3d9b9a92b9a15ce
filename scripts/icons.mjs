import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { main, Stop } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { quiet } from './lib/run.mjs';

/**
 * `node scripts/icons.mjs`: draws every committed icon from the SVGs in resources/icons. Run by hand after a drawing changed;
 * needs rsvg-convert (Debian: librsvg2-bin).
 */
const source = inProject('resources', 'icons');
const traySizes = { linux: [22, 24, 44, 48], windows: [16, 20, 24, 32] };
const appSizes = [16, 24, 32, 48, 64, 128, 256, 512];
/** Apple's four-letter types, by pixels. */
const icnsTypes = { 32: 'ic11', 64: 'ic12', 128: 'ic07', 256: 'ic08', 512: 'ic09', 1024: 'ic10' };

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

/** A Windows icon whose images are PNGs. @param {Map<number, Buffer>} images by size in pixels, 256 at most */
function ico(images) {
  const header = Buffer.alloc(6 + 16 * images.size);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.size, 4);
  let [entry, offset] = [6, header.length];
  for (const [size, png] of images) {
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    entry += 16;
    offset += png.length;
  }
  return Buffer.concat([header, ...images.values()]);
}

function icns(images) {
  const parts = Object.entries(icnsTypes).map(([size, type]) => chunk(type, images.get(Number(size))));
  return chunk('icns', Buffer.concat(parts));
}

function chunk(type, data) {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(data.length + 8, 4);
  return Buffer.concat([header, data]);
}
