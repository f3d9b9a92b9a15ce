import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../app/api/exchange.ts';
import type { TurnProblem } from '../../../../app/api/sessions.ts';
import { problemOf, saysRefused } from '../../../../app/sessions/session/problem.ts';
import { explained, type FailedRequest, failedAfter } from '../../../../app/sessions/turns/failure-cause.ts';
import { endOf, Turn } from '../../../../app/sessions/turns/turn.ts';
import { bareExchange } from '../../history/example.ts';

const refused: TurnProblem = { code: 'refused', text: 'said', remedy: 'm', requestId: null, stderr: null };
const failure = (more: Partial<NonNullable<Exchange['failure']>> = {}): Exchange['failure'] => ({
  ...{ source: 'copilot', status: 429, code: 'x', message: 'A limit.', clientMessage: null },
  ...more,
});
const failed = (more: Partial<Exchange> = {}): Exchange =>
  bareExchange({ id: 'row', outcome: 'failed', status: 429, failure: failure(), ...more });
const lost = (): Exchange =>
  failed({ status: 502, failure: failure({ source: 'network', status: null, code: 'ENOTFOUND' }) });
const last = (...rows: Exchange[]): FailedRequest | undefined =>
  rows.reduce<FailedRequest | undefined>(failedAfter, undefined);
const why = (row: FailedRequest | undefined, context: { used: number; size: number } | null = null): TurnProblem =>
  explained(refused, row, context, 'Claude Code');

describe('the last request of a turn', () => {
  it('counts while it failed and nothing of its conversation came after', () => {
    expect(last(failed())?.row.id).toBe('row');
    expect(last(failed(), bareExchange({ outcome: 'done' }))).toBeUndefined();
    expect(last(failed(), bareExchange({ outcome: 'cancelled' }))?.row.id).toBe('row');
  });

  it('is none of a subagent, nor of a title', () => {
    expect(last(failed({ agentId: 'a' }))).toBeUndefined();
    expect(last(failed(), bareExchange({ outcome: 'done', requestClass: 'auxiliary' }))?.row.id).toBe('row');
  });

  it('says how many in a row got no connection', () => {
    expect(last(lost(), lost(), lost())?.tries).toBe(3);
    expect(last(lost(), failed(), lost())?.tries).toBe(1);
  });
});

describe('why a turn failed', () => {
  it('is Copilot’s refusal in our words, with its status and whose limit it is', () => {
    const row = failed({
      failure: failure({ clientMessage: 'Jumpseat: weekly limit.', kind: 'limit', limit: 'weekly' }),
    });
    expect(why(last(row))).toEqual({
      ...refused,
      ...{ requestId: 'row', text: 'Jumpseat: weekly limit.', facts: { status: 429, limit: 'weekly' } },
    });
    expect(why(last(failed()))).toMatchObject({ text: 'A limit.', facts: { status: 429 } });
  });

  it('names the status that Copilot sent, and the other one that the client got', () => {
    const message = 'Copilot is overloaded (status 503).';
    const row = failed({ status: 529, failure: failure({ status: 503, message }) });
    expect(why(last(row)).text).toBe(`${message} Jumpseat answered the client with status 529.`);
  });

  it('is that Jumpseat sent nothing, and whether a person may let it go on', () => {
    const code = (code: string, attempts: Exchange['attempts'] = []) =>
      why(
        last(
          failed({
            path: '/v1/messages',
            attempts,
            failure: failure({ source: 'jumpseat', code, clientMessage: 'Jumpseat: no.' }),
          }),
        ),
      );
    expect(code('held-back')).toMatchObject({ code: 'held-back', text: 'Jumpseat: no.', facts: { status: 429 } });
    expect(code('model-missing').code).toBe('not-sent');
    expect(code('internal', [{ at: 1, status: 200, retriedBecause: null, upstreamRequestId: null }]).code).toBe(
      'refused',
    );
  });

  it('is a model that the account lacks, by the name that was asked for', () => {
    const row = failed({
      ...{ status: 404, path: '/v1/messages', askedModel: 'claude-fable-5' },
      failure: failure({
        source: 'jumpseat',
        status: 404,
        code: 'model-missing',
        message: 'No such model.',
      }),
    });
    expect(why(last(row))).toMatchObject({
      code: 'not-sent',
      text: 'Copilot has no model "claude-fable-5" for this account.',
      remedy: 'Choose another model.',
    });
    const off = { ...row, failure: failure({ source: 'jumpseat', status: 404, code: 'model-disabled' }) };
    expect(why(last(off))).toMatchObject({ code: 'not-sent', text: 'claude-fable-5 is off for this account.' });
  });

  it('is that GitHub refuses the sign-in, where Claude’s agent says no more than that one is required', () => {
    const said = new RequestError(-32000, 'Authentication required');
    const problem = problemOf(said, 'Claude Code', null);
    expect([saysRefused(said), problem.code]).toEqual([true, 'refused']);
    const text = 'Jumpseat: GitHub refuses the sign-in. Run "jumpseat login".';
    const row = failed({
      ...{ status: 401, path: '/v1/messages' },
      failure: failure({ source: 'github', status: null, code: 'refused', kind: 'signed-out', clientMessage: text }),
    });
    expect(explained(problem, last(row), null, 'Claude Code')).toMatchObject({ code: 'signed-out', text });
  });

  it.each([401, 403])('is our own sentence of a %i, without the login of Claude Code before it', (status) => {
    const ours = 'Jumpseat: refused for your account.';
    const said = (words: string) =>
      problemOf(new RequestError(-32000, `Please run /login · API Error: ${status} ${words}`), 'Claude Code', null);
    expect([said(ours).code, said(ours).text]).toEqual(['refused', ours]);
    expect(said('No.').text).toBe(`Please run /login · API Error: ${status} No.`);
  });

  it('is that there was no connection, with the reason and the tries', () => {
    expect(why(last(lost(), lost()))).toMatchObject({
      ...{ code: 'no-connection', requestId: 'row', facts: { network: 'ENOTFOUND', tries: 2 } },
      text: 'The connection to Copilot was lost. Its name could not be found. Claude Code tried 2 times.',
    });
  });

  it('is an answer that was cut, with what came of it', () => {
    const tokens = { input: 1, output: 812, cacheRead: null, cacheWrite: null };
    const row = failed({ outcome: 'cut', tokens, failure: failure({ source: 'network', code: 'cut' }) });
    expect(why(last(row))).toMatchObject({
      ...{ code: 'cut', facts: { tokens: 812 } },
      text: 'The answer was cut after 812 tokens. It isn’t known what it cost.',
    });
  });

  it('is that the answer reached its token limit, which is no refusal of Copilot’s', () => {
    const words =
      "Internal error: API Error: Claude's response exceeded the 32000 output token maximum. To configure this " +
      'behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.';
    const said = new RequestError(-32603, words, { errorKind: 'max_output_tokens' });
    expect([saysRefused(said), problemOf(said, 'Claude Code', null)]).toEqual([
      true,
      {
        ...{ code: 'token-limit', facts: { most: 32_000 }, remedy: 'Send a message to go on.' },
        ...{ requestId: null, stderr: null },
        text: 'The answer was cut at 32,000 tokens, the limit of one answer. Everything before that is saved.',
      },
    ]);
    const ended = (stopReason: 'max_tokens' | 'max_turn_requests' | 'refusal') =>
      endOf(new Turn('user'), { stopReason }).problem?.code;
    expect([ended('max_tokens'), ended('max_turn_requests'), ended('refusal')]).toEqual([
      ...['token-limit', 'stopped-early', 'declined'],
    ]);
  });

  it('is a conversation that no longer fits, by Copilot’s numbers, else by the agent’s', () => {
    const tooLong = failed({
      ...{ servedModel: 'claude-opus-4.8' },
      failure: failure({ kind: 'too-long', tooLong: { tokens: 210_004, most: 168_000 } }),
    });
    expect(why(last(tooLong))).toMatchObject({
      ...{ code: 'context-full', facts: { tokens: 210_004, most: 168_000, model: 'claude-opus-4.8' } },
      text: 'The conversation no longer fits. 210,004 tokens; claude-opus-4.8 accepts 168,000.',
    });
    const unsaid = failed({ failure: failure({ kind: 'too-long' }) });
    expect(why(last(unsaid), { used: 170_000, size: 168_000 })).toMatchObject({
      facts: { tokens: 170_000, most: 168_000 },
    });
    expect(why(last(unsaid))).toMatchObject({ code: 'context-full', facts: {} });
  });

  it('stays what the agent said where no request failed, and names the request where its process ended', () => {
    expect(why(undefined)).toBe(refused);
    const ended = { ...refused, code: 'agent-ended' };
    expect(explained(ended, last(failed()), null, 'Claude Code')).toEqual({ ...ended, requestId: 'row' });
  });
});
