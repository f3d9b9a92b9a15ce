import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App } from '../../app/api/app.ts';
import type { AppEvent } from '../../app/api/events.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import type { SessionEvent } from '../../app/api/sessions.ts';
import type { AgentDescription } from '../../app/sessions/agents/agent.ts';
import { type Stack, type StackOptions, startStack } from '../app/stack.ts';
import { until } from '../soon.ts';
import { expectSameBothWays } from './both-ways.ts';

export const text = (words: string) => [{ type: 'text', text: words }];

type Question = { id: string; kind: string; child: string | null; request: Record<string, unknown> };

/**
 * Sessions as a front leads them: the calls of the app, the real adapter and the real program of an agent, the
 * simulator.
 */
export class HostedFront {
  readonly events: SessionEvent[] = [];
  /** The log, by id. */
  readonly rows = new Map<string, Exchange>();
  readonly stack: Stack;
  /** A person's own, with a project in it. */
  readonly home: string;
  readonly project: string;

  private constructor(stack: Stack, home: string) {
    this.stack = stack;
    this.home = home;
    this.project = join(home, 'project');
    mkdirSync(this.project, { recursive: true });
    this.app.listen((event: AppEvent) => {
      if (event.event === 'session-event') this.events.push(event.entry);
      if (event.event === 'exchange') this.rows.set(event.exchange.id, event.exchange);
    });
  }

  /** @param agentOf makes the agent in a person's home */
  static async start(
    agentOf: (person: { home: string }) => AgentDescription,
    ports: StackOptions['ports'] = {},
    app: StackOptions['app'] = {},
  ): Promise<HostedFront> {
    const home = mkdtempSync(join(tmpdir(), 'jumpseat-person-'));
    const environment = { CLAUDE_CONFIG_DIR: join(home, '.claude') };
    return new HostedFront(
      await startStack({ ports, app: { agents: [agentOf({ home })], environment, ...app } }),
      home,
    );
  }

  get app(): App {
    return this.stack.app;
  }

  async close(): Promise<void> {
    try {
      await expectSameBothWays(this.app, this.events);
    } finally {
      await this.stack.close();
      // What Claude Code started may write a last line.
      rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }

  /** Below the person's home. */
  write(path: string, content: string): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  ofKind(kind: SessionEvent['kind']): SessionEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  async ended(turnId: string): Promise<{ state: string; problem: unknown }> {
    const event = await until(
      () => this.events.find(({ kind, turnId: of }) => kind === 'turn-ended' && of === turnId),
      () => this.#seen(),
    );
    return event.event as { state: string; problem: unknown };
  }

  /** A question that is asked, counted from 0. */
  async question(nth: number): Promise<Question> {
    const event = await until(
      () => this.ofKind('question')[nth],
      () => this.#seen(),
    );
    return event.event as Question;
  }

  said(): string {
    return this.ofKind('update')
      .map(({ event }) => (event as { update: { sessionUpdate: string; content?: { text?: string } } }).update)
      .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
      .map(({ content }) => content?.text ?? '')
      .join('');
  }

  #seen(): unknown {
    return this.events.map(({ kind, event }) => [kind, JSON.stringify(event).slice(0, 200)]);
  }
}
