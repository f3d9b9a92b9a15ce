import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeClock } from '../../../app/adapters/clock.ts';
import type { CallName } from '../../../app/api/calls.ts';
import type { Session } from '../../../app/api/sessions.ts';
import type { Clock } from '../../../app/ports.ts';
import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import { type Stack, sendTo } from '../../app/stack.ts';
import { until } from '../../soon.ts';
import type { WindowOptions } from '../chromium-window.ts';
import type { Play } from './play.ts';
import { plays } from './plays.ts';
import { StagedAgent } from './staged-agent.ts';

/** As long as what Claude Code says of itself and its tools, so that a turn costs what one does. */
const instructions = 'You are an agent that works in this folder. '.repeat(1_500);

/** The conversations of these plays can’t be read, or not yet. */
const readingCalls: ReadonlySet<CallName> = new Set(['sessionPast', 'transcript']);
const unreadable = Object.assign(new Error('The disk is gone.'), { remedy: 'Bring it back.' });

/**
 * Sessions in every state, led by the real app; only the agent is played. Claude Code itself is in
 * `sessions-day.test.ts`.
 */
export class Stage {
  readonly agent: StagedAgent;
  /** What the agent does with other prompts. */
  readonly more = new Map<string, NonNullable<Play['play']>>();
  readonly #person: string;
  readonly #plays: readonly Play[];
  readonly #over = Promise.withResolvers<void>();
  /** How many are still to begin. */
  #toBegin: number;
  #stack: Stack | null = null;
  /** By the clock of its sessions. */
  now: () => number = nodeClock().now;

  /** @param person The folder of the person. */
  constructor(person: string, given: readonly Play[] = plays) {
    this.#person = person;
    this.#plays = given;
    this.#toBegin = given.length;
    this.agent = new StagedAgent(this.over);
    this.agent.script = async (turn) => {
      const play = given.find(({ prompt }) => prompt !== '' && turn.text === prompt)?.play ?? this.more.get(turn.text);
      return (await play?.(turn, this)) ?? 'end_turn';
    };
  }

  /** What a window needs to show it. Its sessions begin one second apart, also where the time stands still. */
  options(clock: Clock = nodeClock()): Required<Pick<WindowOptions, 'ports' | 'app' | 'before' | 'onCall'>> {
    this.now = () => clock.now() - this.#toBegin * 1_000;
    return {
      ports: { clock: { ...clock, now: () => this.now() } },
      app: { agents: [this.agent] },
      before: (stack) => this.#set(stack),
      onCall: (name, given) => this.#held(name, given),
    };
  }

  get stack(): Stack {
    if (this.#stack === null) throw new Error('The stage is not set yet.');
    return this.#stack;
  }

  /** What does not end when it is told to ends with this. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  end(): void {
    this.#over.resolve();
    for (const process of this.agent.processes) process.die();
  }

  /** The same at every run. */
  id(name: string): string {
    const at = this.#plays.findIndex((play) => play.name === name);
    if (at === -1) throw new Error(`No session is called ${name}.`);
    return `${(0x7f3a_91c2 + at * 0x1b5).toString(16)}-5be0-4c11-9d2f-61e0c7a4b8f3`;
  }

  /** A folder of the person's, which is made. */
  folder(name: string): string {
    const folder = join(this.#person, 'code', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Brings every session to its state, one after the other. */
  async #set(stack: Stack): Promise<void> {
    this.#stack = stack;
    for (const play of this.#plays) {
      await this.#begin(play);
      this.#toBegin -= 1;
    }
  }

  #held(name: CallName, given: readonly unknown[]): Promise<unknown> | undefined {
    if (!readingCalls.has(name)) return undefined;
    const asked = JSON.stringify(given);
    const play = this.#plays.find(({ name, reading }) => reading !== undefined && asked.includes(this.id(name)));
    if (play === undefined) return undefined;
    return play.reading === 'fails' ? Promise.reject(unreadable) : this.over;
  }

  async session(name: string): Promise<Session> {
    return this.stack.app.session(this.id(name));
  }

  /** Until the session is in one of these states. */
  async reaches(name: string, ...states: Session['state'][]): Promise<void> {
    await until(
      async () => states.includes((await this.session(name)).state),
      async () => ({ name, session: await this.session(name) }),
    );
  }

  /** Until the agent was asked this of the session. */
  async asked(name: string, method: string): Promise<void> {
    const ofSession = () => this.agent.asked.filter(({ params }) => params.sessionId === this.id(name));
    await until(
      () => ofSession().some((request) => request.method === method),
      () => ({ name, method, asked: ofSession().map((request) => request.method) }),
    );
  }

  /**
   * What a turn of Claude Code asks of Copilot, through the proxy with the session's own key: its prompt, or what
   * follows a step. Its row belongs to the turn.
   */
  async request(turn: FakeTurn, by: 'user' | 'agent' = 'user'): Promise<number> {
    const access = this.agent.access.get(turn.sessionId);
    if (access === undefined) throw new Error('The session was not started.');
    const step = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'deliver.ts' }] },
    ];
    const { status } = await sendTo(access.baseUrl, {
      ...{ method: 'POST', path: '/v1/messages' },
      headers: {
        authorization: `Bearer ${access.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'user-agent': 'claude-cli/2.1.328 (external, cli)',
        'x-claude-code-session-id': turn.sessionId,
        'x-claude-code-request-class': 'main',
      },
      body: JSON.stringify({
        ...{ model: 'opus', max_tokens: 100, system: instructions },
        tools: [{ name: 'Bash', input_schema: { type: 'object', properties: { command: { type: 'string' } } } }],
        messages: [{ role: 'user', content: turn.text }, ...(by === 'agent' ? step : [])],
      }),
    });
    return status;
  }

  write(path: string, text: string): string {
    writeFileSync(path, text);
    return path;
  }

  async #begin(play: Play): Promise<void> {
    const { name, prompt, project = 'parcel-api', before, after } = play;
    const { app } = this.stack;
    const id = this.id(name);
    if (play.play === undefined && before !== undefined) {
      await before(this, id);
      return;
    }
    const cwd = this.folder(project);
    await app.trustFolder(cwd);
    await before?.(this, id);
    await app.newSession({ id, cwd, agent: 'claude', title: null, choices: {} });
    if (prompt === '') return void (await after(this, id));
    // Of one that starts it is answered when it has started.
    const sent = app.sendMessage({ session: id, prompt: [{ type: 'text', text: prompt }] });
    sent.catch(() => undefined);
    await after(this, id);
  }
}
