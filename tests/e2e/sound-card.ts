import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Desktop } from './desktop.ts';

/** A sound card of which one can see what it plays, in 16-bit samples: ALSA hands them to a program. */
export function plugIn(desktop: Desktop): void {
  const card = join(desktop.folder, 'bin', 'sound-card');
  // As fast as a real one, about: without an end to it ALSA would fill the disk with silence.
  writeFileSync(
    card,
    `#!/bin/sh
while [ "$(head -c 19200 | tee -a "${recording(desktop)}" | wc -c)" != 0 ]; do sleep 0.1; done
`,
    { mode: 0o755 },
  );
  writeFileSync(
    join(desktop.home, '.asoundrc'),
    `pcm.!default { type plug slave { format S16_LE pcm "heard" } }
pcm.heard { type file format "raw" file "|${card}" slave.pcm "null" }
`,
  );
}

/** How many samples that are no silence were played so far. */
export function heardOn(desktop: Desktop): number {
  if (!existsSync(recording(desktop))) return 0;
  const bytes = readFileSync(recording(desktop));
  let loud = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) if (Math.abs(bytes.readInt16LE(at)) > 1_000) loud += 1;
  return loud;
}

/** A tenth of a second of 440 Hz, as a WAV file. */
export function tone(): Buffer {
  const rate = 44_100;
  const samples = Buffer.alloc((rate / 10) * 2);
  for (let at = 0; at < samples.length / 2; at += 1)
    samples.writeInt16LE(Math.round(20_000 * Math.sin((at * 440 * 2 * Math.PI) / rate)), at * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

function recording(desktop: Desktop): string {
  return join(desktop.home, 'heard.raw');
}
