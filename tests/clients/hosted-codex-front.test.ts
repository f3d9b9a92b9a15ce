import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { client, ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withTrust } from '../../app/sessions/agents/codex/folder-trust.ts';
import { webReadable, webWritable } from '../../app/sessions/agents/stdio.ts';
import { until } from '../soon.ts';
import { codexBinary } from './codex.ts';
import { codexOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';

/** The host of sessions with another agent than Claude Code: the real Codex, behind codex-acp. */
let front: HostedFront;
beforeEach(async () => {
  front = await HostedFront.start(codexOf);
});
afterEach(() => front.close());

const begin = async (choices = {}) =>
  (await front.app.newSession({ cwd: front.project, agent: 'codex', title: null, choices })).id;
const run = async (session: string, words: string) => {
  const { turnId } = await front.app.sendMessage({ session, prompt: text(words) });
  return { turnId, end: front.ended(turnId) };
};

describe.runIf(codexBinary !== '')('a session of the real Codex that a front leads', () => {
  it('asks, goes on in a new process, is stopped, costs what its rows do, and is read again by an editor', async () => {
    const { app, project } = front;
    const id = await begin();
    // Outside of its sandbox, which the tests do not fetch: there it has to ask.
    const outside = '"sandbox_permissions":"require_escalated","justification":"a test"';
    const first = await run(id, `use: exec_command {"cmd":"touch made",${outside}}`);
    const asked = await front.question(0);
    expect(asked.kind).toBe('permission');
    expect(existsSync(join(project, 'made'))).toBe(false);
    await app.answerQuestion({ session: id, question: asked.id, answer: { answer: 'allow' } });
    expect(await first.end).toMatchObject({ state: 'done', problem: null });
    expect(existsSync(join(project, 'made'))).toBe(true);
    const [turn] = await app.sessionTurns({ session: id, before: null, limit: 50 });
    const own = [...front.rows.values()].filter(({ client: label }) => label === id);
    expect(own.map(({ initiator }) => initiator)).toEqual(['user', 'agent']);
    const sum = own.reduce((all, { charge }) => all + (charge.nanoAiu ?? 0), 0);
    expect(sum).toBeGreaterThan(0);
    expect(turn).toMatchObject({ id: first.turnId, cost: { nanoAiu: sum, user: 1 } });

    await app.unloadSession(id);
    expect(await app.session(id)).toMatchObject({ state: 'unloaded' });
    const second = await run(id, 'count to 3');
    expect(await second.end).toMatchObject({ state: 'done' });
    // The conversation goes on: what was said before is in the request.
    expect(JSON.stringify(front.stack.simulator.requests.at(-1)?.body)).toContain('touch made');

    const forEver = new Promise(() => undefined);
    front.stack.simulator.script.next({ kind: 'usual', before: (index) => (index === 8 ? forEver : undefined) });
    const long = await run(id, 'count to 1000');
    await until(() => front.ofKind('update').some((event) => event.turnId === long.turnId));
    await app.stopSession(id);
    expect(await long.end).toMatchObject({ state: 'cancelled' });

    const said: string[] = [];
    const [there, back] = [new PassThrough(), new PassThrough()];
    const served = app.serveEditor('codex', { input: there, output: back });
    const editor = client({ name: 'editor' })
      .onNotification('session/update', ({ params: { update } }) => {
        if ('content' in update && update.content !== null && typeof update.content === 'object') {
          if ('text' in update.content) said.push(`${update.sessionUpdate}: ${String(update.content.text)}`);
        }
      })
      .connect(ndJsonStream(webWritable(there), webReadable(back)));
    await editor.agent.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    await editor.agent.request('session/load', { sessionId: id, cwd: project, mcpServers: [] });
    expect(said.filter((line) => line.startsWith('user_message_chunk: '))).toEqual([
      expect.stringContaining('touch made'),
      'user_message_chunk: count to 3',
      'user_message_chunk: count to 1000',
    ]);
    expect(said.join('\n')).toContain('1, 2, 3');
    there.end();
    await served;
  });

  it.each([false, true])('runs what a folder names only where it is trusted: %s', async (isTrusted) => {
    const { app, home, project } = front;
    const ran = join(home, 'server-ran');
    const server = ['[mcp_servers.theirs]', 'command = "sh"', `args = ["-c", "touch ${ran}"]`, ''];
    front.write('project/.codex/config.toml', server.join('\n'));
    front.write('project/AGENTS.md', 'Words of the folder.');
    // Codex looks for what belongs to a folder in repositories.
    mkdirSync(join(project, '.git'));
    if (isTrusted) await app.trustFolder(project);
    const { end } = await run(await begin(), 'count to 3');
    expect(await end).toMatchObject({ state: 'done' });
    expect(existsSync(ran)).toBe(isTrusted);
    const sent = JSON.stringify(front.stack.simulator.requests.at(-1)?.body);
    expect(sent.includes('Words of the folder.')).toBe(isTrusted);
  });

  it('has our own search, offers its modes, and never asks only where that was said', async () => {
    const { app } = front;
    const id = await begin();
    const { modes, models } = await app.sessionOffers(id);
    expect(modes.map(({ id: mode, asksNothing }) => [mode, asksNothing])).toEqual([
      ...[
        ['workspace-write', false],
        ['read-only', false],
        ['agent', false],
        ['agent-full-access', true],
      ],
    ]);
    expect(models).toEqual([]);
    const choices = { mode: 'agent-full-access' };
    await expect(app.chooseForSession({ session: id, choices })).rejects.toMatchObject({ code: 'not-possible' });
    const searching = await run(id, 'use: mcp__jumpseat__web_search {"query":"latest node"}');
    expect(await searching.end).toMatchObject({ state: 'done' });
    // It only reads: Codex does not ask for that.
    expect(front.ofKind('question')).toEqual([]);
    const searched = [...front.rows.values()].find(({ reason }) => reason?.rule === 'own-prompt');
    expect(searched?.client).toBe(id);
    const offered = (await app.sessionOffers(id)).modes;
    expect(offered.filter(({ refusal }) => refusal !== null)).toEqual([]);
    expect(await app.sessionInForce(id)).toEqual({ inForce: null, why: 'not-reported' });
  });
});

it.runIf(codexBinary !== '')('the codex-acp that is fetched says in one place that a folder is trusted', () => {
  const source = readFileSync(process.env.JUMPSEAT_TEST_CODEX_ACP ?? '', 'utf8');
  expect(withTrust(source, true)).toBe(source);
  expect(withTrust(source, false)).not.toContain('trust_level: "trusted"');
  expect(() => withTrust(`${source}\n{ trust_level: "trusted" }`, false)).toThrow('has changed');
  expect(() => withTrust('', true)).toThrow('has changed');
});
