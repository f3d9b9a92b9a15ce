import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { claudeBinary, claudeVariables } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/** What these tests use of the Agent SDK, which is fetched with `npm test` and not a dependency. */
interface AgentSdk {
  query(given: { prompt: AsyncIterable<UserMessage>; options: Record<string, unknown> }): Query;
}
interface UserMessage {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
}
interface Query extends AsyncIterable<{ type: string; subtype?: string; result?: string }> {
  setModel(model: string): Promise<void>;
  interrupt(): Promise<unknown>;
}

const sdkModule = process.env.JUMPSEAT_TEST_AGENT_SDK ?? '';

let product: Product;
let abort: AbortController;
beforeEach(async () => {
  product = await startProduct();
  abort = new AbortController();
});
afterEach(async () => {
  abort.abort();
  await product.close();
});

/** A session of the SDK: what a program says to it, and what came back. */
class Session {
  readonly results: { subtype: string | undefined; result: string | undefined }[] = [];
  readonly query: Query;
  #waiting: UserMessage[] = [];
  #wake: () => void = () => {};
  #over = false;

  constructor(sdk: AgentSdk) {
    const project = join(product.home, 'project');
    mkdirSync(project, { recursive: true });
    this.query = sdk.query({
      prompt: this.#said(),
      options: {
        pathToClaudeCodeExecutable: claudeBinary,
        cwd: project,
        env: { PATH: process.env.PATH, ...claudeVariables(product) },
        allowedTools: ['Bash'],
        settingSources: [],
        abortController: abort,
      },
    });
  }

  say(content: string): void {
    this.#waiting.push({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake();
  }

  /** Reads until the session ends; rejects as the SDK does. */
  async read(): Promise<void> {
    for await (const { type, subtype, result } of this.query) {
      if (type === 'result') this.results.push({ subtype, result });
    }
  }

  async *#said(): AsyncIterable<UserMessage> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

const verdicts = (): string[] =>
  [...product.exchanges]
    .sort((one, other) => one.startedAt - other.startedAt)
    .map(({ initiator, reason, servedModel }) => `${initiator} ${reason?.code} ${servedModel}`);

describe.runIf(sdkModule !== '' && claudeBinary !== '')('the real Agent SDK', () => {
  it('D16 two turns, another model between them: one user each', async () => {
    const sdk: AgentSdk = await import(sdkModule);
    const session = new Session(sdk);
    const reading = session.read();
    session.say('run: echo jump$((40 + 2))');
    await until(() => session.results.length === 1, verdicts);
    expect(session.results[0]).toEqual({ subtype: 'success', result: expect.stringContaining('jump42') });
    await session.query.setModel('claude-sonnet-4.6');
    session.say('hello there');
    await until(() => session.results.length === 2, verdicts);
    expect(session.results[1]).toEqual({
      subtype: 'success',
      result: expect.stringContaining('in the place of claude-sonnet-4.6'),
    });
    session.end();
    await reading;
    await product.settled();
    expect(verdicts()).toEqual([
      'user prompt claude-opus-4.8',
      'agent tool-results claude-opus-4.8',
      // It tries the model before it changes to it.
      'agent auxiliary claude-sonnet-4.6',
      'user prompt claude-sonnet-4.6',
    ]);
  });

  it('D16 an abort in the middle of an answer ends the request at Copilot, and the row says who left', async () => {
    const sdk: AgentSdk = await import(sdkModule);
    const session = new Session(sdk);
    const reading = session.read().catch(() => undefined);
    const held = product.simulator.script.next({
      kind: 'usual',
      before: (index) => (index > 3 ? new Promise(() => {}) : undefined),
    });
    session.say('count to 50');
    await held.taken;
    abort.abort();
    await reading;
    const row = await product.ended(({ initiator }) => initiator === 'user');
    expect([row.outcome, row.failure?.code]).toEqual(['cancelled', 'client-left']);
    await product.simulator.script.aborted('/v1/messages');
  });
});
