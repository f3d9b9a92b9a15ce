import { expect, it } from 'vitest';
import { bugReport } from '../../../renderer/requests/copy-request.ts';
import { exchange } from '../../exchange.ts';

it('says what was decided and when, in Markdown', () => {
  const startedAt = new Date(2026, 10, 20, 10, 39, 41, 318).getTime();
  const fits = [{ code: 'max-tokens-clamped', count: 1, text: 'max_tokens 128000 → 64000' }];
  const failure = {
    source: 'copilot',
    status: 429,
    code: 'rate_limited',
    message: 'Too many.',
    clientMessage: null,
  } as const;
  expect(bugReport(exchange({ startedAt, fits, failure }), '0.1.0')).toBe(
    [
      '## Overview',
      '',
      '- Jumpseat: 0.1.0',
      '- Started: 20 Nov 2026, 10:39:41.318',
      '- Came in at: POST /v1/messages',
      '- Client: claude-code',
      '- Sent to: /v1/messages',
      '- Model: opus → claude-opus-4.8',
      '- Outcome: done 200',
      '- Initiator: user (main-new-prompt): First request of a new prompt',
      '- Charge: 7.528 credits ($0.0753). Billed, as reported by Copilot.',
      '- Error: copilot rate_limited 429: Too many.',
      '- Copilot request: C0E2:3B41F7:1A9C22:1D07E5:691EF0FD',
      '- Id: 0f0e0d0c-0001',
      '',
      '## Changed to fit Copilot',
      '',
      '- Lowered max_tokens: 128000 → 64000',
      '',
      '## Attempts',
      '',
      '- 17 ms: 200',
      '',
      '## Timing',
      '',
      '| Phase | Start | Took |',
      '|---|---|---|',
      '| Prepare for Copilot | 0 ms | 17 ms |',
      '| Wait for headers | 17 ms | 925 ms |',
      '| Wait for first token | 942 ms | 298 ms |',
      '| Stream | 1240 ms | 17.4 s |',
      '',
    ].join('\n'),
  );
});

it('headers stand in it without their secrets', () => {
  const headers = {
    client: [{ name: 'x-mine', value: 'not told' }],
    sent: [
      { name: 'authorization', value: null },
      { name: 'x-initiator', value: 'user' },
    ],
    answered: null,
  };
  const report = bugReport(exchange(), '0.1.0', headers);
  expect(report).toContain('## Sent to Copilot\n\n- authorization: (redacted)\n- x-initiator: user\n');
  expect(report).not.toContain('x-mine');
  expect(report).not.toContain('## From Copilot');
});
