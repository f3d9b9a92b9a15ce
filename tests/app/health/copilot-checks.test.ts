import { describe, expect, it, onTestFinished } from 'vitest';
import { copilotHeaders } from '../../../app/account/access.ts';
import { defaultIdentity, vscodeIdentity } from '../../../app/account/vscode-identity.ts';
import { identityFinding } from '../../../app/health/copilot-checks.ts';
import { prompt, startStack } from '../stack.ts';

const seenAt = Date.parse('2026-11-22T12:00:00Z');
const days = (count: number): number => seenAt + count * 24 * 60 * 60 * 1000;
const sent = copilotHeaders(defaultIdentity);
const said = 'vscode/1.139.1 with copilot-chat/0.67.0, VS Code’s versions of 22 Nov 2026';

describe('identityFinding', () => {
  it.each([
    [-1, 'today'],
    [0, 'today'],
    [1, '1 day ago'],
    [179, '179 days ago'],
  ])('after %i days it is %s', (count, ago) => {
    expect(identityFinding(sent, days(count))).toEqual({
      verdict: 'passed',
      finding: `${said} (${ago})`,
      remedy: null,
    });
  });

  it('counts the dates that are shown, early in the day as well', () => {
    const early = new Date(seenAt);
    early.setDate(early.getDate() + 3);
    early.setHours(0, 30);
    expect(identityFinding(sent, early.getTime()).finding).toBe(`${said} (3 days ago)`);
  });

  it('after half a year it is old', () => {
    expect(identityFinding(sent, days(180))).toEqual({
      verdict: 'warning',
      finding: `${said} (180 days ago). Copilot turns versions away that are too old.`,
      remedy: 'Update Jumpseat.',
    });
  });

  it('the age of versions that a person set is unknown', () => {
    const identity = { ...defaultIdentity, editorVersion: 'vscode/9.9.9' };
    expect(identityFinding(copilotHeaders(identity), days(400))).toMatchObject({
      verdict: 'passed',
      finding: 'vscode/9.9.9 with copilot-chat/0.67.0, as settings.json says',
    });
  });

  it('another program is named alone', () => {
    expect(identityFinding({ 'Editor-Version': 'copilot/1.0.85' }, days(400))).toMatchObject({
      verdict: 'passed',
      finding: 'copilot/1.0.85',
    });
  });
});

it('an old list of models is no answer: the connection failed, and why', async () => {
  const stack = await startStack();
  onTestFinished(() => stack.close());
  expect(await stack.app.check('copilot.connection')).toMatchObject({ verdict: 'passed', tookMs: expect.any(Number) });
  stack.simulator.script.next({ kind: 'answer', status: 503, body: 'Service Unavailable' }, '/models');
  expect(await stack.app.check('copilot.connection')).toMatchObject({
    verdict: 'failed',
    finding: expect.stringContaining('answered 503: Service Unavailable'),
  });
  // The list of before is still one.
  expect(await stack.app.check('copilot.models')).toMatchObject({ verdict: 'passed' });
});

describe('vscodeIdentity', () => {
  it('every value says when and how it is known', () => {
    for (const { on, source } of Object.values(vscodeIdentity)) {
      expect([on, source]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expect.stringMatching(/\w/)]);
    }
  });

  it('editor, plugin and user agent were seen together', () => {
    const { editorVersion, pluginVersion, userAgent } = vscodeIdentity;
    expect([pluginVersion.on, userAgent.on]).toEqual([editorVersion.on, editorVersion.on]);
    expect(userAgent.value.split('/')[1]).toBe(pluginVersion.value.split('/')[1]);
  });
});

it('while Copilot says to wait, Claude Code can’t work', async () => {
  const stack = await startStack();
  onTestFinished(() => stack.close());
  stack.simulator.script.next({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' }, body: 'slow down' });
  expect((await stack.messages(prompt('one'))).status).toBe(429);
  expect(await stack.app.check('copilot.last-success')).toMatchObject({
    verdict: 'failed',
    finding: expect.stringMatching(/^Copilot limits requests until .*\d\d:\d\d\.$/),
  });
});
