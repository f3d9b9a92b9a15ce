import { afterEach, expect, it } from 'vitest';
import { nodeDialer } from '../../app/adapters/dialer.ts';
import { type Dialer, NetworkError } from '../../app/ports.ts';
import { prompt, type Stack, startStack } from './stack.ts';

let stack: Stack | null = null;
afterEach(async () => {
  await stack?.close();
  stack = null;
});

it('an account whose quota is not known is not asked for with every exchange', async () => {
  let asked = 0;
  const real = nodeDialer();
  const dialer: Dialer = {
    async dial(request) {
      if (request.url.pathname.endsWith('/copilot_internal/user')) {
        asked += 1;
        throw new NetworkError(request.url.host, 'ECONNREFUSED', 'nobody is there');
      }
      const dialed = await real.dial(request);
      const { headers } = dialed.response;
      for (const name of Object.keys(headers)) if (name.startsWith('x-quota-')) delete headers[name];
      return dialed;
    },
    close: () => real.close(),
  };
  stack = await startStack({ ports: { dialer } });
  for (let turn = 1; turn <= 5; turn++) {
    expect((await stack.messages(prompt(`question ${turn}`))).status).toBe(200);
    await stack.rows(turn);
  }
  // Once when the proxy started, once after the first exchange.
  expect(asked).toBeLessThanOrEqual(2);
});
