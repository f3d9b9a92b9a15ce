import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../../app/api/sessions.ts';
import { FakeAgent, type FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import { type Stack, sendTo } from '../../app/stack.ts';
import { until } from '../../soon.ts';
import { type Play, plays } from './plays.ts';

/**
 * Sessions in every state, led by the real app; only the agent is played. Claude Code itself is in
 * `sessions-day.test.ts`.
 */
export class Stage {
  readonly agent = new FakeAgent();
  readonly #person: string;
  readonly #ids = new Map<string, string>();
  readonly #over = Promise.withResolvers<void>();
  #stack: Stack | null = null;

  /** @param person The folder of the person. */
  constructor(person: string) {
    this.#person = person;
    this.agent.script = async (turn) => {
      const play = plays.find(({ prompt }) => turn.text === prompt);
      return (await play?.play?.(turn, this)) ?? 'end_turn';
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

  id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`No session is called ${name}.`);
    return id;
  }

  /** A folder of the person's, which is made. */
  folder(name: string): string {
    const folder = join(this.#person, 'code', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Brings every session to its state, one after the other. */
  async set(stack: Stack): Promise<void> {
    this.#stack = stack;
    for (const play of plays) await this.#begin(play);
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

  /** What one turn of Claude Code asks of Copilot, through the proxy, as a row of the log that belongs to it. */
  async request(turn: FakeTurn): Promise<number> {
    const { app, key } = this.stack;
    const { baseUrl } = await app.startProxy();
    const { status } = await sendTo(baseUrl, {
      ...{ method: 'POST', path: '/v1/messages' },
      headers: {
        authorization: `Bearer ${key}.test`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'x-claude-code-session-id': turn.sessionId,
      },
      body: JSON.stringify({ model: 'opus', max_tokens: 100, messages: [{ role: 'user', content: turn.text }] }),
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
    const id = randomUUID();
    this.#ids.set(name, id);
    if (play.play === undefined && before !== undefined) {
      await before(this, id);
      return;
    }
    const cwd = this.folder(project);
    await app.trustFolder(cwd);
    await before?.(this, id);
    await app.newSession({ id, cwd, agent: 'claude', title: null, choices: {} });
    // Of one that starts it is answered when it has started.
    const sent = app.sendMessage({ session: id, prompt: [{ type: 'text', text: prompt }] });
    sent.catch(() => undefined);
    await after(this, id);
  }
}
