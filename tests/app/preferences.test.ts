import { afterEach, expect, it } from 'vitest';
import { type Stack, startStack } from './stack.ts';

let stack: Stack | null = null;
afterEach(async () => {
  await stack?.close();
  stack = null;
});

it('two changes of one group at the same moment both hold, and the rest of it stays', async () => {
  stack = await startStack();
  const { app } = stack;
  await app.changePreferences({ limits: { requestsPerMinute: 60 }, openai: { historyTurns: 9 } });
  await Promise.all([
    app.changePreferences({ limits: { creditsPerDay: 12.5 } }),
    app.changePreferences({ limits: { askBeforeBurst: true }, notifications: { updates: false } }),
    app.changePreferences({ openai: { streamByDefault: true }, bodies: { megabytes: 8 } }),
  ]);
  const { limits, openai, notifications, bodies } = app.preferences();
  expect({ limits, openai, notifications, bodies }).toEqual({
    limits: {
      requestsPerMinute: 60,
      creditsPerDay: 12.5,
      premiumRequestsPerDay: null,
      askBeforeBurst: true,
      burstPerMinute: 60,
    },
    openai: { atOnce: 8, streamByDefault: true, historyTurns: 9 },
    notifications: { quota: true, trouble: true, updates: false },
    bodies: { megabytes: 8, minutes: null },
  });
});
