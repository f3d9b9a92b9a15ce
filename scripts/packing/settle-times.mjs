import { lutimesSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A hook of electron-builder: every file has the time of the version, not that of the packing. */
export default function settleTimes({ appOutDir }) {
  const time = Number(process.env.SOURCE_DATE_EPOCH);
  for (const path of [...readdirSync(appOutDir, { recursive: true }), '.'])
    lutimesSync(join(appOutDir, path), time, time);
}
