import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import type { Clock } from '../../../../app/ports.ts';
import { TranscriptWatch } from '../../../../app/sessions/transcripts/transcript-watch.ts';
import { until } from '../../../soon.ts';
import { collectingLog } from '../../history/surroundings.ts';
import { idOf, projects } from './samples.ts';

function watching(clock: Clock, place = projects()) {
  const reported: string[] = [];
  const watch = new TranscriptWatch(place.root, { clock, log: collectingLog() }, (path) => reported.push(path));
  onTestFinished(() => watch.close());
  return { ...place, reported, watch };
}

/** Long pauses end at once: what is told then was found by looking. */
const impatient: Clock = { ...nodeClock(), sleep: (ms, signal) => nodeClock().sleep(Math.min(ms, 20), signal) };

describe('following transcripts', () => {
  it('tells of a file that comes, grows and goes, also in a folder that is new, without opening any', async () => {
    const { reported, path, root, watch } = watching(impatient);
    await watch.ready;
    writeFileSync(path(idOf(1)), 'x');
    await until(() => reported.includes(path(idOf(1))));
    reported.length = 0;
    appendFileSync(path(idOf(1)), 'more');
    await until(() => reported.includes(path(idOf(1))));
    mkdirSync(join(root, 'new'));
    const other = join(root, 'new', `${idOf(2)}.jsonl`);
    writeFileSync(other, 'y');
    await until(() => reported.includes(other));
    reported.length = 0;
    rmSync(other);
    await until(() => reported.includes(other));
  });

  it('is told by the system long before it looks itself', async () => {
    const place = projects();
    writeFileSync(place.path(idOf(1)), 'x');
    const { reported, path, watch } = watching(nodeClock(), place);
    await watch.ready;
    expect(reported).toEqual([]);
    const beganAt = performance.now();
    appendFileSync(path(idOf(1)), 'more');
    await until(() => reported.includes(path(idOf(1))));
    expect(performance.now() - beganAt).toBeLessThan(25_000);
  });

  it('waits for a folder that is not there yet, and says nothing once it is closed', async () => {
    const place = projects();
    rmSync(place.root, { recursive: true });
    const { reported, watch, path, project } = watching(impatient, place);
    await watch.ready;
    mkdirSync(project, { recursive: true });
    writeFileSync(path(idOf(1)), 'x');
    await until(() => reported.includes(path(idOf(1))));
    watch.close();
    reported.length = 0;
    appendFileSync(path(idOf(1)), 'after the end');
    await nodeClock().sleep(0);
    expect(reported).toEqual([]);
  });
});
