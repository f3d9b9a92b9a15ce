import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stop } from '../lib/progress.mjs';
import { npm } from '../lib/run.mjs';
import { stageTerminal } from './stage.mjs';

/**
 * Packs the terminal front as npm publishes it. Its name is `npmName` in package.json.
 * @param {string} folder where the .tgz is to be
 * @returns {Promise<string>} the .tgz
 */
export async function packNpm(folder) {
  const stage = mkdtempSync(join(tmpdir(), 'jumpseat-npm-'));
  try {
    stageTerminal(stage);
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { code, stdout, output } = await npm(args, { cwd: stage });
    if (code !== 0) throw new Stop(`The npm package could not be packed:\n${output.trim()}`);
    return join(folder, Object.values(JSON.parse(stdout))[0].filename);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
