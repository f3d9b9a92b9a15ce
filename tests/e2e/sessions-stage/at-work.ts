import { longAnswer } from './answers.ts';
import { goesOn, idle, type Play, running } from './play.ts';
import { step, subagent, thinks } from './steps.ts';

/** Sessions that work, or are about to. */
export const atWork: readonly Play[] = [
  {
    name: 'one that writes',
    prompt: 'Explain how deliveries are tried again',
    play: async (turn, stage) => {
      await stage.request(turn);
      await turn.say(longAnswer, 'answer');
      return goesOn(turn);
    },
    after: running('one that writes'),
    row: /^Writing\s+\d+\.\d\d$/m,
    shows: ['The docs'],
    offers: ['Stop'],
    process: /^Working, /,
  },
  {
    name: 'one that thinks',
    prompt: 'Find out why the tests are slow',
    play: async (turn) => {
      await thinks(turn, 'What was asked?');
      return goesOn(turn);
    },
    after: running('one that thinks'),
    row: 'Thinking',
    shows: ['Thinking'],
    offers: ['Stop'],
    process: /^Working, /,
  },
  {
    name: 'one with tasks, steered and queued',
    prompt: 'Write the tests for parse.ts',
    play: async (turn) => {
      const entry = (content: string, status: string) => ({ content, priority: 'medium', status });
      await turn.update({
        sessionUpdate: 'plan',
        entries: [
          entry('Read the code', 'completed'),
          entry('Write the tests', 'in_progress'),
          entry('Run them', 'pending'),
        ],
      } as never);
      await step(turn, {
        ...{ tool: 'Bash', kind: 'execute', input: { command: 'npm run long', description: 'Run it' } },
      });
      return goesOn(turn);
    },
    after: async (stage, id) => {
      await running('one with tasks, steered and queued')(stage);
      const { app } = stage.stack;
      await app.steerSession({ session: id, prompt: [{ type: 'text', text: 'Mind the commas.' }] });
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'Then the docs.' }] });
    },
    row: 'Running npm run long',
    shows: ['Mind the commas.', 'Claude reads it at its next step', 'Then the docs.', /1 of 3/],
    offers: ['Take back', 'Steer', 'Change', 'Remove', 'Stop'],
    process: /^Working, /,
  },
  {
    name: 'one with subagents',
    prompt: 'Look for what makes the shell slow',
    play: async (turn) => {
      await subagent(turn, 'Profile the zsh startup');
      await subagent(turn, 'Look for slow plugins');
      return goesOn(turn);
    },
    after: running('one with subagents'),
    row: 'Running 2 subagents',
    shows: ['Profile the zsh startup', 'Look for slow plugins'],
    process: /^Working, /,
  },
  {
    name: 'one that compacts',
    prompt: 'Go through all the open reports',
    play: async (turn) => {
      await turn.update({ sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' } as never);
      return goesOn(turn);
    },
    after: running('one that compacts'),
    row: 'Compacting',
    shows: ['Compacting…'],
    process: /^Working, /,
  },
  {
    name: 'one that stops',
    prompt: 'Count the open orders',
    play: async (turn, stage) => {
      await turn.say('I count', 'answer');
      await step(turn, {
        ...{ tool: 'Bash', kind: 'execute', input: { command: 'npm run count', description: 'Count them' } },
      });
      // It does not obey.
      await stage.over;
      return 'cancelled';
    },
    after: async (stage, id) => {
      const name = 'one that stops';
      await running(name)(stage);
      const closing = stage.agent.hold('session/close');
      void stage.over.then(closing.go);
      void stage.stack.app.stopSession(id).catch(() => undefined);
      await stage.asked(name, 'session/close');
      await stage.reaches(name, 'stopping');
    },
    row: 'Stopping…',
    shows: ['npm run count'],
    process: 'Stopping…',
  },
  {
    name: 'one that starts anew',
    prompt: 'Look up what the menu can do',
    project: 'website',
    play: async (turn) => {
      await turn.say('It opens and closes.', 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      const name = 'one that starts anew';
      const { app } = stage.stack;
      await idle(name)(stage);
      await app.chooseForSession({ session: id, choices: { directories: [stage.folder('shared')] } });
      const starting = stage.agent.hold('session/resume');
      void stage.over.then(starting.go);
      await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'And with the keyboard?' }] });
      await stage.asked(name, 'session/resume');
      await stage.reaches(name, 'starting');
    },
    row: 'Restarting for the new folders…',
    shows: ['It opens and closes.', 'Restarting for the new folders…'],
    offers: ['Stop'],
    process: 'Restarting for the new folders…',
  },
];
