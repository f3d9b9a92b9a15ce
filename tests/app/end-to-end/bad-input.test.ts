import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { Started } from '../../started.ts';
import { jumpseat, Spawned } from '../cli/spawn-jumpseat.ts';
import { prompt, type Stack, sendTo, startStack } from '../stack.ts';

describe('bodies', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack();
    await stack.app.models();
  });
  afterEach(() => stack.close());
  const inference = () => stack.simulator.requests.filter(({ path }) => path === '/v1/messages');

  /** Sends these bytes and ends; resolves with what came back when the connection is gone. */
  function raw(bytes: string, end: (socket: ReturnType<typeof connect>) => void): Promise<string> {
    return new Promise((resolve) => {
      let back = '';
      const socket = connect(Number(new URL(stack.baseUrl).port), '127.0.0.1', () =>
        socket.write(bytes, () => end(socket)),
      );
      socket.setEncoding('utf8').on('data', (text: string) => {
        back += text;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(back));
    });
  }
  const half = (): string => {
    const body = JSON.stringify(prompt('hi'));
    const head = [
      'POST /v1/messages HTTP/1.1',
      `Host: ${new URL(stack.baseUrl).host}`,
      `Authorization: Bearer ${stack.key}.test`,
      `Content-Length: ${body.length}`,
    ];
    return `${head.join('\r\n')}\r\n\r\n${body.slice(0, 40)}`;
  };

  it.each([
    { name: 'reset', end: (socket: ReturnType<typeof connect>) => socket.resetAndDestroy() },
    { name: 'ended', end: (socket: ReturnType<typeof connect>) => socket.end() },
  ])('an upload that is $name half-way asks nothing of Copilot and leaves no row', async ({ end }) => {
    await raw(half(), end);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
    expect(inference()).toHaveLength(1);
    expect(await stack.rows(1)).toHaveLength(1);
    expect(stack.app.state().health.running).toBe(0);
  });

  it('a compressed body is refused with what to do', async () => {
    const answer = await stack.send({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(prompt('hi'))),
    });
    expect(answer.status).toBe(415);
    expect(answer.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: 'Jumpseat: send the body uncompressed.' },
    });
    expect(inference()).toEqual([]);
  });

  it.each([
    ['a block that is no object', { messages: [{ role: 'user', content: [7] }] }],
    ['a block without a type', { messages: [{ role: 'user', content: [{}] }] }],
    ['content that is null', { messages: [{ role: 'user', content: null }] }],
    ['tools that are no list', { tools: 'all' }],
    ['a tool that is no object', { tools: [null] }],
    ['a system that is a number', { system: 5 }],
    ['thinking that is a text', { thinking: 'hard' }],
    ['max_tokens that is a text', { max_tokens: 'many' }],
    ['no messages', { messages: [] }],
    ['output_config that is a list', { output_config: [] }],
    ['metadata that is a text', { metadata: 'x' }],
    ['tools that are null', { tools: null }],
    ['a tool without a name', { tools: [{ input_schema: {} }] }],
    ['a tool whose schema is a text', { tools: [{ name: 'a', input_schema: 'x' }] }],
    ['a system that is null', { system: null }],
    ['a tool_choice that is a text', { tools: [{ name: 'a', input_schema: {} }], tool_choice: 'auto' }],
    ['a tool_choice that is null', { tools: [{ name: 'a', input_schema: {} }], tool_choice: null }],
    ['stop_sequences that are a text', { stop_sequences: 'x' }],
    ['stop_sequences of numbers', { stop_sequences: [1, 2] }],
    ['context_management that is a text', { context_management: 'x' }],
    ['edits that are no list', { context_management: { edits: 'x' } }],
    ['thinking that is null', { thinking: null }],
    ['an effort that is a number', { output_config: { effort: 5 } }],
    ['a format that is a text', { output_config: { format: 'json' } }],
    ['an image without a source', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ['an image whose source is a text', { messages: [{ role: 'user', content: [{ type: 'image', source: 'x' }] }] }],
    ['a text that is a number', { messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] }],
    [
      'a result whose content is a number',
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: 'x' }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 5 }] },
        ],
      },
    ],
    ['a role nobody knows', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['temperature that is a text', { temperature: 'warm' }],
    ['a model of blanks', { model: '  ' }],
    ['a model with a line end', { model: 'claude\r\nx-evil: 1' }],
  ])('%s: an error in the API’s shape or an answer, never a fault of ours', async (_, wrong) => {
    for (const model of ['claude-sonnet-4.6', 'gpt-4.1']) {
      const answer = await stack.messages(prompt('hi', { model, stream: false, ...wrong }));
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 200)
        expect(answer.json()).toMatchObject({ type: 'error', error: { message: expect.any(String) } });
    }
    expect(stack.log.filter(({ event }) => event === 'exchange.broke' || event === 'route.broke')).toEqual([]);
    expect((await stack.messages(prompt('hi'))).status).toBe(200);
  });

  const result = { type: 'tool_result', tool_use_id: 't', content: 5 };
  const call = { type: 'tool_use', id: 't', name: 'a', input: {} };
  it.each([
    [{ system: 5 }, 'system: Input should be a string or a list'],
    [{ system: [5] }, 'system.0: Input should be an object'],
    [{ tools: 'all' }, 'tools: Input should be a list'],
    [{ tools: [5] }, 'tools.0: Input should be an object'],
    [
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: [call] },
          { role: 'user', content: [result] },
        ],
      },
      'tool_result.content: Input should be a string or a list',
    ],
  ])('what cannot be walked over is named: %j', async (wrong, message) => {
    for (const model of ['claude-sonnet-4.6', 'gpt-4.1']) {
      const answer = await stack.messages(prompt('hi', { model, ...wrong }));
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ error: { type: 'invalid_request_error', message } });
    }
    expect(inference()).toEqual([]);
  });

  it.each([{ system: null }, { tools: null }])('%j is as if it had been left out', async (none) => {
    for (const model of ['claude-sonnet-4.6', 'gpt-4.1']) {
      expect((await stack.messages(prompt('hi', { model, ...none }))).status).toBe(200);
    }
    expect(inference()[0]?.body).not.toHaveProperty(Object.keys(none)[0] ?? '');
  });
});

describe('a machine in disorder', () => {
  let simulator: Simulator;
  let folder: string;
  let env: Record<string, string>;
  const running: Started[] = [];
  const servers: Server[] = [];
  beforeEach(async () => {
    simulator = await startSimulator();
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-disorder-'));
    env = {
      HOME: folder,
      JUMPSEAT_HOME: folder,
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_KEY: 'key-of-this-test-alone',
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    };
  });
  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
    for (const server of servers.splice(0)) server.close();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(): Promise<{ banner: string; baseUrl: string }> {
    const spawned = new Spawned(['serve', '--port', '0'], env);
    running.push(spawned);
    const banner = await spawned.until((out) => out.includes('Ctrl-C stops it'));
    return { banner, baseUrl: /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '' };
  }
  const ask = (baseUrl: string) =>
    sendTo(baseUrl, {
      method: 'POST',
      path: '/v1/messages',
      headers: { authorization: 'Bearer key-of-this-test-alone.test' },
      body: JSON.stringify(prompt('hi')),
    });

  it('A1.4 a port in use: exit code 1 and one line with the remedy', async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, out, err } = await new Spawned(['serve', '--port', String(port)], env).ended();
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      new RegExp(
        `^jumpseat: Port ${port} is in use by .+ Stop that program, or choose another port with --port or ` +
          `JUMPSEAT_PORT\\.\\n$`,
      ),
    );
  });

  it('A1.4 a second one of the same folder: exit code 1, and where the first one is', async () => {
    const { baseUrl } = await serve();
    const { code, err } = await new Spawned(['serve', '--port', '0'], env).ended();
    expect([code, err]).toEqual([1, expect.stringMatching(/^jumpseat: Another Jumpseat is already running .*\n$/)]);
    expect(err).toContain(baseUrl);
    expect((await ask(baseUrl)).status).toBe(200);
  });

  it.skipIf(process.platform !== 'linux')('says that the port is another Jumpseat’s, of another folder', async () => {
    const { baseUrl } = await serve();
    const { port } = new URL(baseUrl);
    const other = { ...env, JUMPSEAT_HOME: join(folder, 'other') };
    const { err } = await new Spawned(['serve', '--port', port], other).ended();
    expect(err).toMatch(new RegExp(`^jumpseat: Port ${port} is in use by another Jumpseat \\(pid \\d+\\)\\.`));
  });

  it('a history of a newer version is kept aside and said, and everything works', async () => {
    const database = new DatabaseSync(join(folder, 'history.db'));
    database.exec('CREATE TABLE of_tomorrow (x); PRAGMA user_version = 99');
    database.close();
    const { banner, baseUrl } = await serve();
    expect(banner).toContain('The request history was written by a newer Jumpseat (version 99 of the schema).');
    expect((await ask(baseUrl)).status).toBe(200);
    expect(readdirSync(folder)).toContain('history.newer-99.db');
  });

  it('a damaged history and broken settings are said, and everything works', async () => {
    writeFileSync(join(folder, 'history.db'), 'this is no database '.repeat(500));
    writeFileSync(join(folder, 'settings.json'), '{}');
    expect((await jumpseat(['reach'], env)).code).toBe(0);
    writeFileSync(join(folder, 'settings.json'), '{"port": ');
    const { banner, baseUrl } = await serve();
    expect(banner.match(/^ {2}Note {7}/gm)).toHaveLength(2);
    expect(banner).toContain('settings.json');
    expect((await ask(baseUrl)).status).toBe(200);
    expect(readdirSync(folder).filter((name) => /damaged|broken/.test(name))).toHaveLength(1);
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe('{"port": ');
  });

  it.runIf(process.platform === 'linux')('a full disk: answers go on, and it is said', async () => {
    // A limit to the size of files fails a write as a full disk does; the signal that comes with it has to be ignored.
    const entry = fileURLToPath(new URL('../../../app/cli/jumpseat.ts', import.meta.url));
    const limited = 'trap "" XFSZ; ulimit -f 320; exec "$0" "$@"';
    const spawned = new Started('bash', ['-c', limited, process.execPath, entry, 'serve', '--port', '0', '--json'], {
      env: { PATH: process.env.PATH ?? '', ...env },
    });
    running.push(spawned);
    const { baseUrl, dashboardUrl } = JSON.parse(await spawned.line());
    const entered = await sendTo(baseUrl, { path: dashboardUrl.slice(baseUrl.length) });
    const cookie = String(entered.headers['set-cookie']).split(';', 1)[0] ?? '';
    const warnings = async (): Promise<string[]> => {
      const answer = await sendTo(baseUrl, {
        method: 'POST',
        path: '/ui/api/call/state',
        headers: { cookie, origin: baseUrl, 'content-type': 'application/json' },
        body: '[]',
      });
      return (answer.json() as { value: { warnings: { code: string }[] } }).value.warnings.map(({ code }) => code);
    };
    let asked = 0;
    while (!(await warnings()).includes('history-not-written')) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(baseUrl)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      asked += answers.length;
      expect(asked).toBeLessThan(2000);
    }
    expect((await ask(baseUrl)).status).toBe(200);
    expect((await sendTo(baseUrl, { path: '/readyz' })).status).toBe(200);
  });
});
