import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that went into the build, as Vite lists it. */
export interface License {
  name: string;
  version: string;
  /** `MIT` */
  identifier?: string;
  text?: string;
}

/** Left by Vite beside each part of the build. */
export const listFile = 'licenses.json';

/**
 * Writes dist/renderer/licenses.txt, which the window shows: every package that went into any part of the build, and
 * keytar, which is laid beside it. dist/vscode/licenses.txt, which is packed with the extension, has those of its part.
 * Throws where a package says nothing about its licence. `modules` is node_modules.
 */
export function writeLicenses(dist: string, modules: string): void {
  const lists = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dist, entry.name, listFile)))
    .flatMap((entry): License[] => JSON.parse(readFileSync(join(dist, entry.name, listFile), 'utf8')));
  const all = [...lists, packageIn(join(modules, 'keytar'))];
  writeFileSync(join(dist, 'renderer', 'licenses.txt'), licensesText(all));
  const extension = join(dist, 'vscode');
  if (!existsSync(join(extension, listFile))) return;
  const own: License[] = JSON.parse(readFileSync(join(extension, listFile), 'utf8'));
  writeFileSync(join(extension, 'licenses.txt'), licensesText(own, intro));
}

export function licensesText(packages: readonly License[], begin = `${intro}\n${withElectron}`): string {
  const silent = packages.filter(({ identifier, text }) => !identifier && !text).map(({ name }) => name);
  if (silent.length > 0) throw new Error(`No licence is known of ${silent.join(', ')}.`);
  const once = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  const parts = [...once]
    .sort(([left], [right]) => left.localeCompare(right, 'en'))
    .map(([title, { identifier, text }]) =>
      [`${title}${identifier ? ` (${identifier})` : ''}`, ...(text ? [text.trim()] : [])].join('\n\n'),
    );
  return `${[begin, ...parts].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}

const intro = 'Jumpseat contains these programs of others, each on its own terms.';
const withElectron = `The tray app also runs on Electron, which comes with Chromium; their licences lie beside the
program, in LICENSE.electron.txt and LICENSES.chromium.html.`;

function packageIn(folder: string): License {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  return { name, version, identifier: license, ...(file && { text: readFileSync(join(folder, file), 'utf8') }) };
}
