import { execFileSync } from 'node:child_process';
import { existsSync, lutimesSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Hooks of electron-builder, with which the same sources make the same bytes. SOURCE_DATE_EPOCH is their time. */

/** Every file has the time of the version, not that of the packing. */
export function afterPack({ appOutDir }) {
  for (const name of readdirSync(appOutDir)) closeTransport(join(appOutDir, name, 'Contents', 'Info.plist'));
  const time = Number(process.env.SOURCE_DATE_EPOCH);
  for (const path of [...readdirSync(appOutDir, { recursive: true }), '.'])
    lutimesSync(join(appOutDir, path), time, time);
}

/** electron-builder's tar.gz has its files in an order that differs, and is called by the time it was made at. */
export function artifactBuildCompleted({ file }) {
  if (!file.endsWith('.tar.gz')) return;
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-archive-'));
  try {
    execFileSync('tar', ['-xzf', file, '-C', folder]);
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w'];
    const order = ['--format=gnu', '--sort=name', `--mtime=@${process.env.SOURCE_DATE_EPOCH}`];
    const gzip = `gzip -n -${process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL ?? 9}`;
    execFileSync('tar', ['-C', folder, ...order, ...owner, '-I', gzip, '-cf', file, ...readdirSync(folder).sort()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** On macOS electron-builder lets an app load everything unencrypted. Of this machine alone an update needs it. */
export function closeTransport(plist) {
  if (!existsSync(plist)) return;
  const text = readFileSync(plist, 'utf8');
  writeFileSync(plist, text.replace(/(<key>NSAllowsArbitraryLoads<\/key>\s*)<true\s*\/>/, '$1<false/>'));
}
