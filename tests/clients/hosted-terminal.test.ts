import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEvent } from '../../app/api/events.ts';
import { until } from '../soon.ts';
import { claudeBinary } from './claude.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';
import { Terminal, tmux } from './terminal.ts';

/** A session that Jumpseat leads and a person opens in a terminal: one of them writes at a time. */
let front: HostedFront;
let terminal: Terminal | null = null;
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
});
afterEach(async () => {
  await terminal?.close();
  terminal = null;
  await front.close();
});

async function resumed(id: string): Promise<Terminal> {
  const { home, project, stack } = front;
  // What a person is asked at the very first start only.
  const trusted = { [project]: { hasTrustDialogAccepted: true } };
  mkdirSync(join(home, '.claude'), { recursive: true });
  const config = JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', projects: trusted });
  writeFileSync(join(home, '.claude.json'), config);
  const opened = await Terminal.open(claudeBinary, ['--resume', id], {
    cwd: project,
    env: {
      ...{ HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', DISABLE_AUTOUPDATER: '1' },
      ...{ ANTHROPIC_BASE_URL: stack.baseUrl, ANTHROPIC_AUTH_TOKEN: `${stack.key}.terminal` },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1' },
    },
  });
  terminal = opened;
  await opened.see('❯');
  return opened;
}

describe.runIf(claudeBinary !== '' && tmux !== '')('a session that a terminal opens too', () => {
  it('takes no message while it is open there, says where, and goes on with what was said there', async () => {
    const { app, project } = front;
    const listed: AppEvent[] = [];
    app.listen((event) => event.event === 'session-listed' && listed.push(event));
    await app.sessionList();
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const first = await app.sendMessage({ session: id, prompt: text('count to 3') });
    expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });

    const there = await resumed(id);
    const openThere = () =>
      listed.flatMap((event) => (event.event === 'session-listed' ? [event.session.openIn] : [])).at(-1);
    const openAnd = (state: string) =>
      until(
        () => (openThere()?.state === state ? openThere() : null),
        () => there.screen(),
      );
    const openIn = await openAnd('rests');
    expect(openIn).toEqual({ pid: expect.any(Number), program: 'terminal', state: 'rests' });
    await until(async () => (await app.session(id)).state === 'unloaded');
    const refused = await app.sendMessage({ session: id, prompt: text('count to 4') });
    expect(await front.ended(refused.turnId)).toMatchObject({
      ...{ state: 'failed', problem: { text: expect.stringContaining(`process ${openIn.pid}`) } },
    });
    await there.say('count to 5');
    await there.see('1, 2, 3, 4, 5');
    const question = 'step: ask: Which one? | This | That';
    await there.say(question);
    await openAnd('waits');
    // Claude Code lets a question take keys a moment after it has drawn it.
    await until(
      async () => {
        if (openThere()?.state === 'rests') return true;
        await there.press('Enter');
        return null;
      },
      () => there.screen(),
    );
    await there.close();
    terminal = null;

    await until(async () => (await app.sessionList()).sessions.find((one) => one.id === id)?.openIn === null);
    const last = await app.sendMessage({ session: id, prompt: text('count to 6') });
    expect(await front.ended(last.turnId)).toMatchObject({ state: 'done' });
    const said = await app.transcript({ id, agentId: null, before: null, limit: 50 });
    // What the turns that are led here cost stands in their rows.
    expect(said?.turns.map(({ prompt, cost }) => [prompt?.[0]?.text, cost?.user])).toEqual([
      ...[
        ['count to 3', undefined],
        ['count to 5', 1],
        [question, 1],
        ['count to 6', undefined],
      ],
    ]);
    const elsewhere = (await app.sessionCosts()).find((one) => one.id === id)?.elsewhere;
    const thereCost = said?.turns.slice(1, 3).map(({ cost }) => cost?.nanoAiu ?? 0) ?? [];
    expect(thereCost.reduce((sum, one) => sum + one, 0)).toBe(elsewhere?.nanoAiu);
  });
});
