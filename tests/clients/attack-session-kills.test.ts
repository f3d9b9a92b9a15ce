import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { rounds, seed } from '../attack/rounds.ts';
import { until } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary } from './claude.ts';
import { type MarkedProcess, markedProcesses } from './marked-processes.ts';

/** kill -9 of the agent, of Claude Code and of Jumpseat at random moments of turns, starts and undoing. */
const kills = rounds(5, 100);
const minutes = rounds(2, 30);

interface Line {
  reported?: 'accepted' | 'started' | 'ended';
  id?: string;
  turnId?: string;
  state?: string;
  ready?: boolean;
  turns?: { id: string; state: string }[];
  queue?: string[];
}

/** A Jumpseat in a process of its own, and what it has told. */
class Jumpseat {
  readonly started: Started;
  constructor(home: string, session: string) {
    this.started = new Started(process.execPath, ['tests/clients/kills-host.ts'], {
      env: { ...process.env, KILLS: JSON.stringify({ home, session }) },
    });
  }

  get pid(): number {
    return this.started.child.pid ?? 0;
  }

  get isGone(): boolean {
    return this.started.child.exitCode !== null || this.started.child.signalCode !== null;
  }

  lines(): Line[] {
    const whole = this.started.out.slice(0, this.started.out.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** What it found on disk. */
  async found(): Promise<Line> {
    return until(
      () => this.lines().find(({ ready }) => ready),
      () => this.started.err.slice(-2_000),
    );
  }
}

/** Of a Jumpseat's own process, in the mark of whatever its agents started. */
const startedBy = (pid: number) => (one: MarkedProcess) => one.environment.includes(`\0JUMPSEAT_AGENT=${pid}.`);

/** From 0 to 1, the same in every run with a seed; what the machine does between is not. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it.skipIf(process.platform !== 'linux' || claudeBinary === '')(
  'kill -9 at random loses no turn that was told, leaves no process, and every file is as before or as after',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-kills-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
    const person = join(home, 'person');
    const project = join(person, 'project');
    const random = numbersFrom(seed);
    const tried = { jumpseat: 0, adapter: 0, claude: 0 };
    let session = randomUUID();
    const reported = { accepted: new Set<string>(), started: new Set<string>(), ended: new Map<string, string>() };
    let jumpseat = new Jumpseat(home, session);
    onTestFinished(async () => {
      if (!jumpseat.isGone) await jumpseat.started.stop('SIGKILL');
    });

    const take = (): void => {
      for (const { reported: what, id, turnId, state } of jumpseat.lines()) {
        if (what === 'accepted') reported.accepted.add(id ?? '');
        else if (what === 'started') reported.started.add(turnId ?? '');
        else if (what === 'ended') reported.ended.set(turnId ?? '', state ?? '');
      }
    };
    /** What is on disk after a kill holds all that was told, once, and nothing runs of it. */
    const nothingLost = ({ turns = [], queue = [] }: Line): void => {
      const states = new Map(turns.map(({ id, state }) => [id, state]));
      expect(states.size).toBe(turns.length);
      expect([...reported.started].filter((id) => !states.has(id))).toEqual([]);
      expect([...reported.accepted].filter((id) => !states.has(id) && !queue.includes(id))).toEqual([]);
      expect([...reported.ended].filter(([id, state]) => states.get(id) !== state)).toEqual([]);
      expect(turns.filter(({ state }) => state === 'running')).toEqual([]);
    };
    const filesAreWhole = (): void => {
      for (const name of existsSync(project) ? readdirSync(project) : []) {
        if (name.startsWith('.')) continue;
        const id = name.slice(0, -'.txt'.length);
        expect([name, readFileSync(join(project, name), 'utf8') === `${id}\n`.repeat(400)]).toEqual([name, true]);
      }
    };

    for (let nth = 0; nth < kills; nth += 1) {
      await jumpseat.found();
      const turnsBefore = jumpseat.lines().filter(({ reported }) => reported !== undefined).length;
      // Some in the start, some later, in whatever goes on then.
      if (random() < 0.7)
        await until(() => jumpseat.lines().filter(({ reported }) => reported !== undefined).length > turnsBefore);
      await sleep(random() * 900);
      const running = markedProcesses(person).filter(startedBy(jumpseat.pid));
      const claude = running.find(({ args }) => args.includes('--output-format'));
      const adapter = running.find(({ args }) => args.includes('agents/claude.js'));
      const target = (['jumpseat', 'adapter', 'claude'] as const)[nth % 3] ?? 'jumpseat';
      const victim = target === 'adapter' ? adapter : target === 'claude' ? claude : undefined;
      if (victim !== undefined) {
        tried[target] += 1;
        process.kill(victim.pid, 'SIGKILL');
        await until(() => !markedProcesses(person).some(({ pid }) => pid === victim.pid));
        filesAreWhole();
        continue;
      }
      tried.jumpseat += 1;
      const { pid } = jumpseat;
      await jumpseat.started.stop('SIGKILL');
      take();
      await until(
        () => !markedProcesses(person).some(startedBy(pid)),
        () => markedProcesses(person).map(({ args }) => args),
      );
      filesAreWhole();
      const next = new Jumpseat(home, session);
      jumpseat = next;
      nothingLost(await next.found());
      if (random() > 0.25) continue;
      // Now and then another session: one grows no longer than a person's would.
      await next.started.stop('SIGKILL');
      session = randomUUID();
      reported.accepted.clear();
      reported.started.clear();
      reported.ended.clear();
      jumpseat = new Jumpseat(home, session);
    }
    await jumpseat.found();
    const { pid } = jumpseat;
    await jumpseat.started.stop('SIGKILL');
    take();
    await until(() => !markedProcesses(person).some(startedBy(pid)));
    filesAreWhole();
    const last = new Jumpseat(home, session);
    jumpseat = last;
    nothingLost(await last.found());
    process.stderr.write(`kill -9: ${JSON.stringify(tried)}, ${readdirSync(project).length} files\n`);
    expect(tried.jumpseat + tried.adapter + tried.claude).toBe(kills);
  },
  minutes * 60_000,
);
