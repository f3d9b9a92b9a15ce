import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { logLines, worldOf } from '../../../app/cli/commands/log.ts';
import { exchangeLine, failureLine } from '../../../app/cli/exchange-line.ts';
import { planName } from '../../../app/words/account.ts';
import { chargeCell, initiatorCell, modelCell, statusCell } from '../../../app/words/exchange-cells.ts';
import { exchange } from '../../exchange.ts';
import { paper } from '../cli/paper.ts';

const because = (
  code: NonNullable<Exchange['reason']>['code'],
  initiator: 'user' | 'agent',
  more: Partial<Exchange> = {},
) => initiatorCell(exchange({ initiator, reason: { code, rule: code, sentence: '' }, ...more }));
const charged = (
  kind: Exchange['charge']['kind'],
  nanoAiu: number | null = null,
  premiumRequests: number | null = null,
) => chargeCell({ kind, nanoAiu, premiumRequests, partial: false, details: [] });

describe('cells', () => {
  it('say who started it, and shortly why', () => {
    expect([
      because('prompt', 'user'),
      because('interjection', 'user'),
      because('prompt', 'user', { reason: { code: 'prompt', rule: 'attempt', sentence: '' } }),
      because('prompt', 'user', {
        ...{ reason: { code: 'prompt', rule: 'attempt', sentence: '' }, outcome: 'failed', attempts: [] },
      }),
      because('unclear', 'user'),
      because('tool-results', 'agent'),
      because('subagent', 'agent', { requestClass: 'subagent', agentType: 'Explore' }),
      because('subagent', 'agent', { requestClass: 'workflow', agentType: null }),
      because('compaction', 'agent'),
      because('resume', 'agent'),
      initiatorCell(exchange({ initiator: null, reason: null })),
    ]).toEqual([
      'User',
      'User Interjected',
      'User Sent again',
      'User Repeat',
      'User Not sure',
      'Agent Tool results',
      'Subagent Explore',
      'Workflow',
      'Agent Compaction',
      'Agent Resume',
      '–',
    ]);
  });

  it('name both models only where they differ', () => {
    expect([
      modelCell(exchange()),
      modelCell(exchange({ askedModel: 'claude-opus-4.8' })),
      modelCell(exchange({ servedModel: null })),
      modelCell(exchange({ servedModel: null, askedModel: null })),
    ]).toEqual(['claude-opus-4.8 ← opus', 'claude-opus-4.8', 'opus', '–']);
  });

  it('give the charge in its unit, a third of a premium request as 0.33', () => {
    expect([
      charged('billed', 7_528_000_000),
      charged('billed', 100),
      charged('billed', null, 27),
      charged('billed', null, 0.33),
      charged('billed'),
      charged('free', 0),
      charged('unknown'),
      charged('none'),
      charged('pending'),
    ]).toEqual(['7.53', '<0.01', '27', '0.33', 'Unknown', 'Free', 'Unknown', '–', '…']);
  });

  it('have a word for an answer without an end', () => {
    expect([
      statusCell(exchange()),
      statusCell(exchange({ outcome: 'failed', status: 429 })),
      statusCell(exchange({ outcome: 'failed', status: 200 })),
      statusCell(exchange({ outcome: 'cut' })),
      statusCell(exchange({ outcome: 'cancelled' })),
      statusCell(exchange({ outcome: 'running', status: null })),
    ]).toEqual(['200', '429', 'Failed', 'Cut', 'Left', '…']);
  });

  it('name plans as GitHub sells them', () => {
    expect([
      planName('individual_pro', 'plus_monthly_subscriber_quota'),
      planName('individual', null),
      planName('individual', 'free_limited_copilot'),
      planName('business', 'copilot_for_business_seat_quota'),
      planName('something_new', null),
      planName(null, null),
    ]).toEqual(['Copilot Pro+', 'Copilot Pro', 'Copilot Free', 'Copilot Business', 'Copilot something_new', null]);
  });
});

describe('a line of serve', () => {
  it('stands in columns, without colour where it is no terminal', () => {
    const lines = [
      exchange(),
      exchange({
        initiator: 'agent',
        reason: { code: 'tool-results', rule: '', sentence: '' },
        charge: { kind: 'free', nanoAiu: 0, premiumRequests: null, partial: false, details: [] },
      }),
      exchange({
        outcome: 'failed',
        status: 404,
        servedModel: null,
        tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
        times: { sent: null, headers: null, firstEvent: null, lastEvent: 2 },
        charge: { kind: 'none', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
      }),
    ].map((one) => exchangeLine(one, paper()));
    expect(lines).toEqual([
      '10:39:41  claude-code  User                  claude-opus-4.8 ← opus        200       2,722 in   58,214 ' +
        'cached   1,187 out    18.6 s    7.53 credits',
      '10:39:41  claude-code  Agent Tool results    claude-opus-4.8 ← opus        200       2,722 in   58,214 ' +
        'cached   1,187 out    18.6 s            Free',
      '10:39:41  claude-code  User                  opus                          404                       ' +
        '                          2 ms               –',
    ]);
  });

  it('is bold for a person and red for an error on a terminal', () => {
    const ofSession = exchange({ client: '7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3' });
    expect(exchangeLine(ofSession, paper())).toContain('10:39:41  Session      ');
    const line = exchangeLine(exchange({ outcome: 'cut' }), paper(true));
    expect(line).toContain('<bold>User</>');
    expect(line).toContain('<red bold>Cut</>');
    expect(line).toContain('≥ 1,187 out');
    expect(exchangeLine(exchange({ initiator: 'agent', reason: null }), paper(true))).toContain('<dim>10:39:41</>');
  });

  it('is followed by what the client was told', () => {
    const failure = {
      source: 'copilot',
      status: 429,
      code: 'rate_limited',
      message: 'slow down',
      clientMessage: 'Jumpseat: wait.',
    } as const;
    expect([
      failureLine(exchange(), paper()),
      failureLine(exchange({ status: 429, failure }), paper()),
      failureLine(exchange({ status: 429, failure: { ...failure, clientMessage: null } }), paper()),
    ]).toEqual([null, '          Jumpseat: wait.', '          slow down']);
  });
});

describe('the log', () => {
  it('is a table, with a line for each day', () => {
    const later = new Date(2026, 10, 21, 0, 0, 5).getTime();
    expect(
      logLines(
        [
          exchange(),
          exchange({
            startedAt: later,
            session: null,
            charge: { kind: 'unknown', nanoAiu: null, premiumRequests: null, partial: false, details: [] },
          }),
        ],
        'credits',
        paper(),
      ),
    ).toEqual([
      'Time      Status  Initiator  Model                   Input  Cached  Output  Duration  Credits  ' +
        'Session   Client',
      'Friday, 20 Nov 2026',
      '10:39:41  200     User       claude-opus-4.8 ← opus  2,722  58,214   1,187    18.6 s     7.53  ' +
        '7f3a91c2  claude-code',
      'Saturday, 21 Nov 2026',
      '00:00:05  200     User       claude-opus-4.8 ← opus  2,722  58,214   1,187    18.6 s  Unknown  –    ' +
        '     claude-code',
    ]);
  });

  it('heads the charge by what the requests say where the account says nothing', () => {
    const unknown = { quota: null };
    const world = (charge: Partial<Exchange['charge']>) =>
      worldOf(unknown, [
        exchange({
          charge: { kind: 'billed', nanoAiu: null, premiumRequests: null, partial: false, details: [], ...charge },
        }),
      ]);
    expect([world({ nanoAiu: 1 }), world({ premiumRequests: 1 }), world({})]).toEqual([
      'credits',
      'premium',
      'unknown',
    ]);
  });
});
