import { expect, it } from 'vitest';
import type { AgentConnection, AgentExit } from '../../../../../app/sessions/agents/agent.ts';
import { CodexSessions } from '../../../../../app/sessions/agents/codex/codex-sessions.ts';

/** A process that notes what it was asked, and ends when a test says so. */
function processOf(asked: string[], name: string) {
  const exited = Promise.withResolvers<AgentExit>();
  const request = async <Answer>(method: string): Promise<Answer> => {
    asked.push(`${name} ${method}`);
    return { sessionId: 's' } as Answer;
  };
  const connection: AgentConnection = {
    ...{ pid: 1, initialized: { protocolVersion: 1 }, capabilities: {}, extras: new Set(), exited: exited.promise },
    ...{ request, notify: (method: string) => request<void>(method), stop: async () => undefined },
  };
  return { connection, end: exited.resolve };
}

it('knows a session no more whose process ended, until it is resumed', async () => {
  const asked: string[] = [];
  const first = processOf(asked, 'first');
  const opened = [processOf(asked, 'a'), processOf(asked, 'b')];
  let starts = 0;
  const sessions = new CodexSessions(first.connection, async () => opened[starts++]!.connection);
  const choices = { model: null, effort: null, mode: null, title: null };
  const start = { cwd: '/', codex: { baseUrl: 'http://127.0.0.1:1', key: 'k', isTrusted: false, ...choices } };
  await sessions.request('session/new', start);
  opened[0]!.end({ code: null, signal: 'SIGKILL', stderr: '' });
  await opened[0]!.connection.exited;
  asked.length = 0;
  await expect(sessions.request('session/prompt', { sessionId: 's' })).rejects.toMatchObject({ code: -32002 });
  await sessions.notify('session/cancel', { sessionId: 's' });
  expect(asked).toEqual([]);
  await sessions.request('session/resume', { ...start, sessionId: 's' });
  await sessions.request('session/prompt', { sessionId: 's' });
  expect(asked.at(-1)).toBe('b session/prompt');
});
