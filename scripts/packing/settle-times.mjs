import { existsSync, lutimesSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hook of electron-builder: every file has the time of the version, not that of the packing. */
export default function settleTimes({ appOutDir }) {
  for (const name of readdirSync(appOutDir)) closeTransport(join(appOutDir, name, 'Contents', 'Info.plist'));
  const time = Number(process.env.SOURCE_DATE_EPOCH);
  for (const path of [...readdirSync(appOutDir, { recursive: true }), '.'])
    lutimesSync(join(appOutDir, path), time, time);
}

/** On macOS electron-builder lets an app load everything unencrypted. Of this machine alone an update needs it. */
export function closeTransport(plist) {
  if (!existsSync(plist)) return;
  const text = readFileSync(plist, 'utf8');
  writeFileSync(plist, text.replace(/(<key>NSAllowsArbitraryLoads<\/key>\s*)<true\s*\/>/, '$1<false/>'));
}
