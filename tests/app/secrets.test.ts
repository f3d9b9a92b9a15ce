import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { type FileLog, fileLog } from '../../app/adapters/log.ts';
import type { Log } from '../../app/ports.ts';
import type { Reply } from '../../app/simulator/simulator.ts';
import { prompt, type Stack, startStack } from './stack.ts';

/** Words that stand nowhere else, in every place of a request where a person's content may be. */
const content = 'zwieback';
const secretBody = (model: string, stream: boolean) =>
  prompt(`${content}-prompt`, {
    model,
    stream,
    system: `${content}-system`,
    tools: [{ name: 'look', description: `${content}-tool`, input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: `${content}-first` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { q: `${content}-input` } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: `${content}-result` },
          { type: 'text', text: `${content}-prompt` },
        ],
      },
    ],
  });

const claudeCode = {
  'user-agent': 'claude-cli/2.1.328 (external, cli)',
  'x-claude-code-session-id': 'd26f2bc4-fb0d-459f-9b83-fc913dde2b60',
  'x-claude-code-request-class': 'main',
  'x-claude-code-prompt-id': '1ec2400c-c5f0-4043-afec-714c91178ac1',
};

describe('after a run with every kind of failure', () => {
  let stack: Stack;
  const secrets = new Set<string>();
  /** Everything that leaves the process or stays on the disk, by where it was found. */
  const found = new Map<string, string>();

  beforeAll(async () => {
    let file: FileLog | null = null;
    const log: Log = { write: (level, event, facts) => file?.write(level, event, facts) };
    const dialer = nodeDialer();
    const clock = nodeClock();
    stack = await startStack({
      ports: {
        log,
        clock: { ...clock, sleep: (ms, signal) => clock.sleep(Math.min(ms, 5), signal) },
        dialer: {
          dial: (request) => {
            const [, bearer] = (request.headers.Authorization ?? '').split(' ');
            if (bearer !== undefined) secrets.add(bearer);
            return dialer.dial(request);
          },
          close: () => dialer.close(),
        },
      },
    });
    const { app, home, simulator, key } = stack;
    const { script } = simulator;
    file = fileLog(join(home, 'logs'), { level: 'debug' });
    secrets.add(key).add(simulator.githubToken);
    const events: unknown[] = [];
    app.listen((event) => events.push(structuredClone(event)));
    const answers: string[] = [];
    const ask = async (body: unknown, headers: Record<string, string> = {}): Promise<void> => {
      const { headers: back, text } = await stack.messages(body, headers);
      answers.push(JSON.stringify(back), text);
    };
    await app.models();

    // A server that gives back the token it was sent is the worst there is.
    const echoed = (): string =>
      `bad ${[...secrets].filter((secret) => secret !== key && secret !== simulator.githubToken).join(' and ')}`;
    const echo = (status: number): Reply => ({
      kind: 'answer',
      status,
      body: { error: { message: echoed(), code: 'echo' } },
    });
    const replies: (Reply | null)[] = [
      null,
      ...[400, 402, 403, 404, 408, 413, 421, 429, 466, 500, 503].map(echo),
      { kind: 'reset' },
      { kind: 'usual', cutAfter: 3, cut: 'reset' },
      { kind: 'usual', cutAfter: 3, errorEvent: { type: 'error', error: { type: 'api_error', message: echoed() } } },
      { kind: 'stream', events: ['event: message_start\ndata: {"oops\n\n'] },
    ];
    for (const reply of replies) {
      for (const [model, stream] of [
        ['claude-sonnet-4.6', true],
        ['gpt-4.1', false],
      ] as const) {
        if (reply !== null) for (let round = 0; round < 4; round += 1) script.next(reply);
        await ask(secretBody(model, stream), claudeCode);
        script.clear();
      }
    }
    await ask(secretBody('no-such-model', true));
    await ask(`{"messages": "${content}-broken`);
    await ask(
      JSON.stringify({ ...secretBody('gpt-4.1', true), later: '@' }).replace(
        '"@"',
        `${'['.repeat(2e5)}${']'.repeat(2e5)}`,
      ),
    );
    await ask(secretBody('gpt-4.1', true), { authorization: `Bearer ${key}x.test` });
    await ask(secretBody('gpt-4.1', true), { authorization: `Basic ${key}` });
    script.expireTokens();
    script.refuseMint({ status: 403, body: { message: `no ${simulator.githubToken}` } });
    await ask(secretBody('gpt-4.1', true));
    expect(answers.at(-1)).toContain('no [redacted]');
    script.allowMint();
    await app.refresh();
    for (let round = 0; round < 4; round += 1) script.next(echo(401));
    await ask(secretBody('gpt-4.1', true));
    script.clear();
    script.revokeGithubToken();
    script.expireTokens();
    await ask(secretBody('gpt-4.1', true));

    const metrics = await stack.send({ path: '/metrics' });
    const ready = await stack.send({ path: '/readyz' });
    found.set('/metrics', metrics.text);
    found.set('/readyz', ready.text);
    found.set('the answers', answers.join('\n'));
    found.set('the state', JSON.stringify(app.state()));
    found.set('the events', JSON.stringify(events));
    found.set('the exchanges', JSON.stringify(await app.exchanges({ limit: 1000 })));
    await app.stopProxy();
    await file.close();
    for (const name of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) found.set(name.name, readFileSync(join(name.parentPath, name.name), 'latin1'));
    }
  }, 30_000);
  afterAll(() => stack.close());

  it('there was something to find', async () => {
    expect(secrets.size).toBeGreaterThan(3);
    expect([...found.keys()]).toEqual(expect.arrayContaining(['history.db', 'jumpseat.log']));
    const rows = await stack.app.exchanges({ limit: 1000 });
    expect(new Set(rows.map(({ status }) => status)).size).toBeGreaterThan(8);
    expect(found.get('jumpseat.log')?.split('\n').length).toBeGreaterThan(8);
  });

  it('no token and no key is in any of it', () => {
    const where = [...found].flatMap(([place, text]) =>
      [...secrets].filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret.slice(0, 6)}…`),
    );
    expect(where).toEqual([]);
  });

  it('nothing a person or a tool said is in any of it, but for the answer to who said it', () => {
    const where = [...found].filter(([place, text]) => place !== 'the answers' && text.includes(content));
    expect(where.map(([place]) => place)).toEqual([]);
  });
});
