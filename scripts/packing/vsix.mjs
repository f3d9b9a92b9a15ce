import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureNode24 } from '../lib/node24.mjs';
import { Stop } from '../lib/progress.mjs';
import { binOf, inProject } from '../lib/project.mjs';
import { quiet } from '../lib/run.mjs';
import { commitTime } from '../releasing/sbom.mjs';

/** Where each file of the extension comes from. What it needs is in the one file that was built. */
const files = {
  'extension.js': ['dist', 'vscode', 'extension.js'],
  LICENSE: ['LICENSE'],
  'licenses.txt': ['dist', 'vscode', 'licenses.txt'],
  'icon.png': ['resources', 'app', '256x256.png'],
};

/** Lays out the extension below `folder`, as it is packed. */
export function stageExtension(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, from] of Object.entries(files)) cpSync(inProject(...from), join(folder, name));
  cpSync(inProject('vscode', 'pictures'), join(folder, 'pictures'), { recursive: true });
  writeFileSync(join(folder, 'README.md'), withoutPictures(readFileSync(inProject('vscode', 'README.md'), 'utf8')));
  // What was built is CommonJS, which the sources are not.
  const { type: _type, ...packed } = JSON.parse(readFileSync(inProject('vscode', 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

/** There is none to point to: links of the text stay as they are. */
const withoutRepository = ['--allow-missing-repository', '--no-rewrite-relative-links'];

/** The page of an extension shows pictures from the web alone. The walkthrough shows those that are packed. */
function withoutPictures(text) {
  return text.replace(/^!\[[^\]]*\]\(pictures\/[\w-]+\.png\)\n\n/gm, '');
}

/**
 * Packs the extension that was built, with VS Code's own packager and without any network.
 * @param {string} file where the .vsix is to be
 */
export async function packExtension(file) {
  const node = await ensureNode24();
  const stage = mkdtempSync(join(tmpdir(), 'jumpseat-vsix-'));
  try {
    stageExtension(stage);
    // The same sources make the same bytes.
    const time = Date.parse(await commitTime()) / 1000;
    mkdirSync(dirname(file), { recursive: true });
    const { code, output } = await quiet(
      node,
      [binOf('@vscode/vsce', 'vsce'), 'package', ...withoutRepository, '--no-dependencies', '--out', file],
      { cwd: stage, env: { ...process.env, NO_COLOR: '1', SOURCE_DATE_EPOCH: String(time) } },
    );
    if (code !== 0) throw new Stop(`The extension could not be packed:\n${output.trim()}`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
