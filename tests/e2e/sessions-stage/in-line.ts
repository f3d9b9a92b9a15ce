import type { Play } from './play.ts';

/** Sessions that are yet to start. In line is who comes when all places are taken. */
export const inLine: readonly Play[] = [
  {
    name: 'one that starts',
    prompt: 'Say what this project does',
    play: async () => 'end_turn',
    before: ({ agent, over }) => {
      const { go } = agent.hold('session/new');
      void over.then(go);
    },
    after: (stage) => stage.reaches('one that starts', 'starting'),
    row: 'Starting…',
    shows: ['Starting Claude Code…'],
    offers: ['Stop'],
    process: 'Starting…',
  },
  {
    name: 'one in line',
    prompt: 'Update what it depends on',
    play: async () => 'end_turn',
    before: async ({ stack: { app } }) => {
      // One that waits for a person holds no place.
      const atOnce = (await app.heldSessions()).filter(({ state }) => state === 'running').length;
      await app.changePreferences({ sessions: { atOnce } });
    },
    after: async (stage) => stage.reaches('one in line', 'in-line'),
    row: 'Queued',
    shows: ['Queued'],
    offers: ['Stop'],
    process: 'Queued',
  },
  {
    name: 'one in line behind it',
    prompt: 'Then write down what changed',
    play: async () => 'end_turn',
    after: async (stage) => stage.reaches('one in line behind it', 'in-line'),
    row: 'Queued, 1 ahead',
    shows: ['Queued, 1 ahead'],
    offers: ['Stop'],
    process: 'Queued, 1 ahead',
  },
];
