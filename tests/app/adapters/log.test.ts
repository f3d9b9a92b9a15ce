import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileLog } from '../../../app/adapters/log.ts';
import { addSecret } from '../../../app/adapters/redact.ts';
import { temporaryFolder } from './folder.ts';
import { secretShapes } from './secret-shapes.ts';

const at = Date.parse('2026-11-20T10:42:07.318Z');
const now = () => at;

function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a log file', () => {
  it('holds one JSON line per call, from its level on', async () => {
    const dir = join(temporaryFolder(), 'logs');
    const log = fileLog(dir, { now });
    log.write('debug', 'not-shown');
    log.write('info', 'started', { port: 4180, text: 'a "quote"\nand a line ☕' });
    log.write('error', 'failed');
    await log.close();
    const time = '2026-11-20T10:42:07.318Z';
    expect(linesOf(join(dir, 'jumpseat.log'))).toEqual([
      { time, level: 'info', event: 'started', facts: { port: 4180, text: 'a "quote"\nand a line ☕' } },
      { time, level: 'error', event: 'failed' },
    ]);
    expect(statSync(join(dir, 'jumpseat.log')).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('B1.17 holds no secret, wherever in the facts it was put', async () => {
    const dir = temporaryFolder();
    const log = fileLog(dir, { now, level: 'debug' });
    const cores: string[] = [];
    const reported = fc
      .string({ unit: 'grapheme', minLength: 12, maxLength: 40 })
      .map((core) => ({ text: core, core, reported: true }));
    const placed = fc.oneof(
      secretShapes.map((shape) => ({ ...shape, reported: false })),
      reported,
    );
    const places = [
      'value',
      'key',
      'nested',
      'list',
      'error',
      'cause',
      'map',
      'event',
      'header',
      'middle',
      'json',
    ] as const;
    fc.assert(
      fc.property(placed, fc.constantFrom(...places), (secret, place) => {
        // A told secret of nothing but blanks or marks would be found in any line.
        fc.pre(new Set(secret.core).size > 5 && !'[redacted]'.includes(secret.core));
        if (secret.reported) addSecret(secret.core);
        cores.push(secret.core);
        const { text } = secret;
        const facts: Record<(typeof places)[number], Record<string, unknown>> = {
          value: { a: text },
          key: { [text]: 1 },
          nested: { a: { b: { c: [{ d: text }] } } },
          list: { a: ['x', text] },
          error: { error: new Error(`it said: ${text}`) },
          cause: { error: new Error('outer', { cause: new Error(text) }) },
          map: { a: new Map([['x', text]]) },
          event: {},
          header: { headers: { authorization: text } },
          middle: { a: `before ${text} after` },
          json: { a: JSON.stringify({ b: text }) },
        };
        log.write('info', place === 'event' ? text : 'event', facts[place]);
      }),
      { numRuns: 400 },
    );
    await log.close();
    const written = linesOf(join(dir, 'jumpseat.log'))
      .map((line) => JSON.stringify(line))
      .join('\n');
    expect(written.split('\n').length).toBe(cores.length);
    const raw = readFileSync(join(dir, 'jumpseat.log'), 'utf8');
    for (const core of cores) {
      expect(raw).not.toContain(core);
      expect(raw).not.toContain(JSON.stringify(core).slice(1, -1));
    }
  });

  it('is put aside when it has grown, and only so many are kept', async () => {
    const dir = temporaryFolder();
    const log = fileLog(dir, { now, maxBytes: 1_000, files: 3 });
    for (let count = 0; count < 60; count++) {
      log.write('info', `event-${count}`, { filling: 'x'.repeat(100) });
      await log.flush();
    }
    await log.close();
    expect(readdirSync(dir).sort()).toEqual(['jumpseat.1.log', 'jumpseat.2.log', 'jumpseat.log']);
    const text = ['jumpseat.2.log', 'jumpseat.1.log', 'jumpseat.log'].map((name) =>
      readFileSync(join(dir, name), 'utf8'),
    );
    expect(text.every((part) => part.length < 1_300)).toBe(true);
    const events = [...text.join('').matchAll(/"event-(\d+)"/g)].map((match) => Number(match[1]));
    // The newest, in order, with no gap.
    expect(events).toEqual(Array.from({ length: events.length }, (_, index) => 60 - events.length + index));
    expect(events.length).toBeGreaterThan(12);
  });

  it('goes on in the file of the last start', async () => {
    const dir = temporaryFolder();
    for (const event of ['first', 'second']) {
      const log = fileLog(dir, { now });
      log.write('info', event);
      await log.close();
    }
    expect(linesOf(join(dir, 'jumpseat.log'))).toMatchObject([{ event: 'first' }, { event: 'second' }]);
  });

  it('loses no line of many writers, and writes the lines of one turn at once', async () => {
    const dir = temporaryFolder();
    const log = fileLog(dir, { now });
    for (let turn = 0; turn < 50; turn++) {
      for (let line = 0; line < 20; line++) log.write('info', `event-${turn}-${line}`);
      await Promise.resolve();
      if (turn % 7 === 0) await log.flush();
      if (turn % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await log.close();
    expect(linesOf(join(dir, 'jumpseat.log')).length).toBe(1_000);
  });

  it('never throws: neither at a folder that cannot be, nor at facts that cannot be read', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const nowhere = fileLog(join(folder, 'file', 'logs'));
    nowhere.write('info', 'lost');
    await nowhere.close();
    nowhere.write('info', 'after the end');
    const log = fileLog(folder, { now });
    const facts = {
      get trap(): string {
        throw new Error('not this');
      },
    };
    log.write('info', 'odd', facts);
    log.write('info', 'next', { fine: true });
    await log.close();
    expect(linesOf(join(folder, 'jumpseat.log'))).toMatchObject([
      { event: 'odd', facts: '[not readable]' },
      { event: 'next', facts: { fine: true } },
    ]);
  });

  it('comes back when its folder does', async () => {
    const dir = join(temporaryFolder(), 'logs');
    writeFileSync(dir, 'in the way');
    const log = fileLog(dir, { now });
    log.write('info', 'lost');
    await log.flush();
    rmSync(dir);
    log.write('info', 'kept');
    await log.close();
    expect(linesOf(join(dir, 'jumpseat.log'))).toMatchObject([{ event: 'kept' }]);
  });

  it('holds a bounded backlog and says how much it dropped', async () => {
    const dir = temporaryFolder();
    const log = fileLog(dir, { now });
    for (let count = 0; count < 600; count++) log.write('info', 'big', { text: 'x'.repeat(3_000) });
    await log.close();
    const lines = linesOf(join(dir, 'jumpseat.log'));
    expect(lines.length).toBeLessThan(400);
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'log-lines-dropped',
      facts: { dropped: 600 - (lines.length - 1) },
    });
  });

  it('holds the last words of a process that ends suddenly', () => {
    const dir = temporaryFolder();
    const module = new URL('../../../app/adapters/log.ts', import.meta.url).href;
    const script =
      `import { fileLog } from ${JSON.stringify(module)}; const log = fileLog(process.argv[1]); ` +
      `log.write('error', 'last words'); process.exit(3);`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script, dir]).status).toBe(3);
    expect(linesOf(join(dir, 'jumpseat.log'))).toMatchObject([{ event: 'last words' }]);
  });
});
