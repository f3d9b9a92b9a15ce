import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { client, ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { customizationsSchema } from '../../app/api/calls/customizations.ts';
import { installedFolder } from '../../app/packages/package.ts';
import { agentSdk } from '../../app/sessions/agents/claude/claude-packages.ts';
import { webReadable, webWritable } from '../../app/sessions/agents/stdio.ts';
import { runPatienceMs, until } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary } from './claude.ts';
import { builtCli, type Product, startProduct } from './product.ts';

/** `jumpseat acp`, driven by acpx: a client of the protocol that others wrote. */

const acpx = join(dirname(createRequire(import.meta.url).resolve('acpx/package.json')), 'dist', 'cli.js');
const agentSdkFolder = dirname(process.env.JUMPSEAT_TEST_AGENT_SDK ?? '');
const agentCommand = `${process.execPath} ${builtCli()} acp`;

let bin: string;
let product: Product;
let project: string;
let env: Record<string, string | undefined>;

/** What a person has who let Jumpseat fetch the Agent SDK. */
function giveAgentSdk(jumpseatHome: string): void {
  const place = installedFolder(join(jumpseatHome, 'cache', 'packages'), agentSdk);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(agentSdkFolder, place);
}

function run(args: readonly string[], more: Record<string, string | undefined> = {}): Started {
  const variables = { ...env, ...more };
  return new Started(process.execPath, [acpx, '--agent', agentCommand, ...args], {
    ...{ cwd: project, env: variables, withinMs: runPatienceMs },
  });
}

const users = (): number => product.exchanges.filter(({ initiator }) => initiator === 'user').length;

describe.runIf(claudeBinary !== '')('acpx', () => {
  beforeAll(async () => {
    bin = mkdtempSync(join(tmpdir(), 'jumpseat-bin-'));
    symlinkSync(claudeBinary, join(bin, 'claude'));
    product = await startProduct({}, null, { PATH: `${bin}:${process.env.PATH}` });
    giveAgentSdk(join(product.home, 'jumpseat'));
    project = join(product.home, 'project');
    mkdirSync(project);
    env = {
      ...{ PATH: `${bin}:${process.env.PATH}`, HOME: product.home, JUMPSEAT_HOME: join(product.home, 'jumpseat') },
      ...{ JUMPSEAT_SECRETS: 'memory', JUMPSEAT_KEY: product.key },
    };
  });
  afterAll(async () => {
    // It leaves a process behind that holds the session for the next command.
    await run(['sessions', 'close', 'one']).ended();
    await product?.close();
    rmSync(bin, { recursive: true, force: true });
  });

  it('asks a prompt, and gets frames alone', async () => {
    const before = users();
    const { code, out } = await run(['--approve-all', '--format', 'json', 'exec', 'run: echo jump$((40 + 2))']).ended();
    const frames = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, frames.at(-1)?.result?.stopReason]).toEqual([0, 'end_turn']);
    expect(out).toContain('jump42');
    await product.settled();
    expect(users() - before).toBe(1);
  });

  it.each([
    ['--approve-all', 0, true],
    ['--deny-all', 5, false],
  ])('%s: what the agent asks for is done, or is not', async (policy, exitCode, isDone) => {
    const file = join(project, `${policy}.txt`);
    const prompt = `use: Write ${JSON.stringify({ file_path: file, content: 'x' })}`;
    const { code, out } = await run([policy, '--format', 'json', 'exec', prompt]).ended();
    expect([code, existsSync(file)]).toEqual([exitCode, isDone]);
    expect(out).toContain('"session/request_permission"');
  });

  it('leads a session of its own: mode, model, cancel, list; an editor loads it afterwards', async () => {
    expect((await run(['sessions', 'new', '--name', 'one']).ended()).code).toBe(0);
    const hello = await run(['prompt', '-s', 'one', 'hello there']).ended();
    expect([hello.code, hello.out]).toEqual([0, expect.stringContaining('You asked: “hello there”')]);
    expect((await run(['set-mode', '-s', 'one', 'plan']).ended()).out).toContain('mode set: plan');
    expect((await run(['set-mode', '-s', 'one', 'default']).ended()).code).toBe(0);
    expect((await run(['set', '-s', 'one', 'model', 'sonnet']).ended()).out).toContain('model set: sonnet');
    const again = await run(['prompt', '-s', 'one', 'again']).ended();
    expect(again.out).toContain('in the place of claude-sonnet-4.6');
    const long = run(['--approve-all', 'prompt', '-s', 'one', 'run: tail -f /dev/null']);
    await until(() => long.out.includes('[tool]'));
    expect((await run(['cancel', '-s', 'one']).ended()).code).toBe(0);
    expect((await long.ended()).out).toContain('cancelled');
    const listed = (await run(['sessions', 'list']).ended()).out;
    const id = /^(\S+)\thello there/m.exec(listed)?.[1] ?? '';
    expect(listed).toContain('hello there');

    const editor = spawn(process.execPath, [builtCli(), 'acp'], { cwd: project, env });
    onTestFinished(() => void editor.kill('SIGKILL'));
    const ended = once(editor, 'exit');
    const said: string[] = [];
    const connection = client({ name: 'editor' })
      .onNotification('session/update', ({ params: { update } }) => {
        if ('content' in update && update.content !== null && typeof update.content === 'object') {
          if ('text' in update.content) said.push(`${update.sessionUpdate}: ${String(update.content.text)}`);
        }
      })
      .connect(ndJsonStream(webWritable(editor.stdin), webReadable(editor.stdout)));
    await connection.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await connection.agent.request('session/load', { sessionId: id, cwd: project, mcpServers: [] });
    expect(said[0]).toBe('user_message_chunk: hello there');
    expect(said.some((text) => text.startsWith('agent_message_chunk: ') && text.includes('“again”'))).toBe(true);
    connection.close();
    editor.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it('has what a person adds for its session in the window from the next message on, until it is switched off', async () => {
    const write = (path: string, content: string): void => {
      const file = join(product.home, 'plugins/demo', path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    };
    write('.claude-plugin/plugin.json', '{"name":"demo"}');
    write('commands/shout.md', 'count to 7\n');
    // All tools are in the first request then, where no model would look for them.
    mkdirSync(join(product.home, '.claude'), { recursive: true });
    const settings = JSON.stringify({ env: { ENABLE_TOOL_SEARCH: 'false' } });
    writeFileSync(join(product.home, '.claude/settings.json'), settings);
    expect((await run(['sessions', 'new', '--name', 'added']).ended()).code).toBe(0);
    const say = async (words: string): Promise<string> =>
      (await run(['--approve-all', 'prompt', '-s', 'added', words]).ended()).out;
    await say('a plugin comes');
    const listed = (await run(['sessions', 'list']).ended()).out;
    const session = /^(\S+)\ta plugin comes/m.exec(listed)?.[1] ?? '';
    await product.call('trustFolder', project);
    const add = (added: Record<string, unknown>) =>
      product.call('addCustomization', { session, scope: 'session', trust: true, added });
    await add({ kind: 'folder', path: join(product.home, 'plugins/demo') });
    const args = [join(import.meta.dirname, 'asking-server.mjs')];
    await add({ kind: 'command', name: 'added', command: process.execPath, args });
    expect(await say('/demo:shout')).toContain('1, 2, 3, 4, 5, 6, 7');
    const added = async () => {
      const { customizations } = customizationsSchema.parse(await product.call('customizations', session));
      return customizations.map(({ id, name, state }) => ({ id, name, state }));
    };
    await until(async () => (await added()).every(({ state }) => state === 'loaded'), added);
    expect((await added()).map(({ name }) => name)).toEqual(['demo', 'added']);
    const tools = (): unknown =>
      product.simulator.requests.findLast(({ path, body }) => path === '/v1/messages' && 'tools' in Object(body))?.body;
    expect(JSON.stringify(tools())).toContain('mcp__added__');
    for (const { id } of await added())
      await product.call('switchCustomization', { session, customization: id, on: false });
    await say('count to 3');
    expect(JSON.stringify(tools())).not.toContain('mcp__added__');
    expect((await added()).map(({ state }) => state)).toEqual(['off', 'off']);
    expect((await run(['sessions', 'close', 'added']).ended()).code).toBe(0);
  });

  it('works where no Jumpseat runs, and refuses with a sign-in where there is none', async () => {
    const home = join(product.home, 'alone');
    giveAgentSdk(home);
    const addresses = {
      JUMPSEAT_GITHUB_URL: product.simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: product.simulator.apiUrl,
    };
    const alone = { ...addresses, JUMPSEAT_HOME: home, JUMPSEAT_KEY: undefined };
    const signedIn = { ...alone, JUMPSEAT_GITHUB_TOKEN: product.simulator.githubToken };
    const { code, out } = await run(['exec', 'on my own'], signedIn).ended();
    expect([code, out]).toEqual([0, expect.stringContaining('You asked: “on my own”')]);
    const refused = await run(['--format', 'json', 'exec', 'hello'], alone).ended();
    expect(refused.code).not.toBe(0);
    expect(refused.out).toContain('-32000');
  });

  it('a Jumpseat that is ended says which sessions it stops', async () => {
    const ending = await startProduct({}, null, { PATH: `${bin}:${process.env.PATH}` });
    try {
      const home = join(ending.home, 'jumpseat');
      giveAgentSdk(home);
      const words = ['--approve-all', 'exec', 'run: tail -f /dev/null'];
      const long = run(words, { HOME: ending.home, JUMPSEAT_HOME: home, JUMPSEAT_KEY: ending.key });
      onTestFinished(() => long.stop('SIGKILL'));
      await until(() => long.out.includes('[tool]'));
      await ending.close();
      expect(ending.printed).toContain('1 session is stopped in the middle. You can go on later.\n');
    } finally {
      await ending.close();
    }
  });
});
