import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk/unstable';
import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import { samplePath } from '../../app/sessions/transcripts/samples.ts';
import { until } from '../../soon.ts';
import type { Stage } from './stage.ts';
import { asksAboutPlan, asksForChoices, asksToEdit, asksToRun, edit, step, subagent, thinks } from './steps.ts';

type Turn = FakeTurn;

/** One session, how it comes to its state, and what the window says of it there. */
export interface Play {
  name: string;
  /** Of the person. Empty: it was begun elsewhere. */
  prompt: string;
  /** Its folder. Default: `parcel-api`. */
  project?: string;
  /** What the agent does with the prompt; absent: the session is not led by Jumpseat. */
  play?: (turn: Turn, stage: Stage) => Promise<'end_turn' | 'cancelled' | undefined>;
  before?: (stage: Stage, id: string) => Promise<unknown> | unknown;
  /** Until it is in its state. */
  after: (stage: Stage, id: string) => Promise<unknown>;
  /** The second line of its row. */
  row: string | RegExp;
  /** What stands in the transcript or the dock, each as a text of its own. */
  shows: readonly (string | RegExp)[];
  /** Buttons by their names. */
  offers?: readonly (string | RegExp)[];
  /** The foot, right. */
  process: string | RegExp;
}

const running = (name: string) => (stage: Stage) => stage.reaches(name, 'running');
const waiting = (name: string) => (stage: Stage) => stage.reaches(name, 'waiting');
const idle = (name: string) => (stage: Stage) => stage.reaches(name, 'idle', 'unloaded');
/** Does nothing more until it is stopped. */
const goesOn = async (turn: Turn): Promise<'cancelled'> => {
  await turn.stopped;
  return 'cancelled';
};
const file = (stage: Stage, name: string): string => join(stage.folder('parcel-api'), name);

const answer = [
  'The retry loop lives in `deliver.ts`. It waits **twice as long** each time:',
  '',
  '```ts',
  'const pauseMs = 250 * 2 ** attempt;',
  'await wait(Math.min(pauseMs, 30_000));',
  '```',
  '',
  '| try | pause |',
  '| --- | ----- |',
  '| 1 | 250 ms |',
  '| 2 | 500 ms |',
  '',
  '- [The docs](https://docs.example.com/retry) say the same.',
].join('\n');

const plan = [
  '# Dates in UTC',
  '',
  '1. Move `parse.ts` to UTC.',
  '2. Move the tests.',
  '3. Say so in the README.',
].join('\n');

/** Sessions in the order in which they begin; the newest stands first in the list. */
export const plays: readonly Play[] = [
  {
    // First: all sessions that are at rest share the process.
    name: 'one whose process ended',
    prompt: 'Build the whole thing for release',
    play: async (turn) => {
      await turn.say('I begin with', 'answer');
      turn.process.die({ signal: 'SIGKILL', stderr: 'one\ntwo\nthree\nout of memory\n' });
      return goesOn(turn);
    },
    after: idle('one whose process ended'),
    row: 'Claude Code stopped',
    shows: [/^Claude Code stopped in the middle of this turn\./, 'out of memory'],
    offers: ['Continue', 'Send the prompt again'],
    process: 'Claude Code stopped',
  },
  {
    name: 'one that is done and seen',
    prompt: 'Let deliveries be tried again',
    project: 'dotfiles',
    play: async (turn, stage) => {
      await thinks(turn, 'The file first.');
      await step(turn, {
        ...{ tool: 'Read', kind: 'read', input: { file_path: file(stage, 'deliver.ts') } },
        response: {
          type: 'text',
          file: { filePath: 'deliver.ts', content: 'x', numLines: 57, startLine: 1, totalLines: 57 },
        },
        output: '1\tx',
      });
      await step(turn, { tool: 'Grep', kind: 'search', input: { pattern: 'retry' }, output: 'deliver.ts:1:retry' });
      const path = stage.write(file(stage, 'deliver.ts'), 'new\n');
      await edit(turn, path, 'old\n', ['old', 'new']);
      await step(turn, {
        ...{ tool: 'Bash', kind: 'execute', input: { command: 'npm test', description: 'Run the tests' } },
        ...{ output: '3 passed\n', exit: 0, response: { stdout: '3 passed\n', stderr: '', interrupted: false } },
      });
      await turn.update({ sessionUpdate: 'usage_update', used: 63_902, size: 168_000 } as never);
      await stage.request(turn);
      await turn.say(answer, 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one that is done and seen')(stage);
      await stage.stack.app.sawSession(id);
    },
    row: 'Done',
    shows: ['npm test', 'The docs', 'Edit'],
    offers: ['Copy answer', 'Fork from here', /^1 file/],
    process: 'Idle',
  },
  {
    name: 'one that is done and not seen',
    prompt: 'Make the menu smaller',
    project: 'website',
    play: async (turn) => {
      await turn.say('All of it is done.', 'answer');
      return 'end_turn';
    },
    after: idle('one that is done and not seen'),
    row: 'Done',
    shows: ['All of it is done.'],
    process: 'Idle',
  },
  {
    name: 'one that was stopped',
    prompt: 'Rename every handler',
    play: goesOn,
    after: async (stage, id) => {
      await running('one that was stopped')(stage);
      await stage.stack.app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'And then the tests.' }] });
      await stage.stack.app.stopSession(id);
      await idle('one that was stopped')(stage);
    },
    row: 'Stopped by you',
    shows: [/^Stopped by you after /, '1 message is queued and waits.', 'And then the tests.'],
    offers: ['Send now', 'Change', 'Remove'],
    process: 'Idle',
  },
  {
    name: 'one that failed',
    prompt: 'Mend the page of prices',
    project: 'website',
    play: async (turn, stage) => {
      const path = file(stage, 'page.html');
      await step(turn, {
        tool: 'Read',
        kind: 'read',
        input: { file_path: path },
        output: 'It isn’t there.',
        isError: true,
      });
      throw new Error('The model could not be reached.');
    },
    after: idle('one that failed'),
    row: 'Failed',
    shows: ['This turn failed.'],
    offers: ['Try again', 'Copy for a bug report'],
    process: 'Failed',
  },
  {
    name: 'one that Copilot refused',
    prompt: 'Try the migration on a copy',
    play: () => Promise.reject(new RequestError(-32603, 'The weekly limit holds.', { errorKind: 'rate_limit' })),
    after: idle('one that Copilot refused'),
    row: 'Refused by Copilot',
    shows: [/^Copilot refused a request of this turn\./, /Edits made before the error are kept\./],
    offers: ['Try again', 'Try again with another model…'],
    process: 'Failed',
  },
  {
    name: 'one that is unloaded',
    prompt: 'Profile the start of zsh',
    project: 'dotfiles',
    play: async (turn) => {
      await turn.say('Kept, with no process.', 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one that is unloaded')(stage);
      await stage.stack.app.sawSession(id);
      await stage.stack.app.unloadSession(id);
    },
    row: 'Done',
    shows: ['Kept, with no process.'],
    process: 'Not loaded',
  },
  {
    name: 'one in a terminal',
    prompt: '',
    before: (stage, id) => {
      const claude = join(stage.folder('..'), '.claude');
      const project = join(claude, 'projects', '-home-me-project');
      mkdirSync(project, { recursive: true });
      copyFileSync(samplePath('tools-image-title'), join(project, `${id}.jsonl`));
      mkdirSync(join(claude, 'sessions'), { recursive: true });
      writeFileSync(
        join(claude, 'sessions', `${process.pid}.json`),
        JSON.stringify({ pid: process.pid, sessionId: id, entrypoint: 'cli' }),
      );
    },
    after: async () => undefined,
    row: 'In a terminal',
    shows: ['Close it there first, or go on in a copy. Two at once would lose messages.'],
    offers: ['Fork and go on here'],
    process: /^In a terminal, pid \d+$/,
  },
  {
    name: 'one that writes',
    prompt: 'Explain how deliveries are tried again',
    play: async (turn) => {
      await turn.say(answer, 'answer');
      return goesOn(turn);
    },
    after: running('one that writes'),
    row: 'Writing',
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
    name: 'one with a background task',
    prompt: 'Watch the build for me',
    play: async (turn) => {
      const task = { task_id: 'b1', task_type: 'local_bash', description: 'npm run watch' };
      await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [task] });
      await turn.say('It watches now.', 'answer');
      return 'end_turn';
    },
    after: idle('one with a background task'),
    row: 'Waiting for a background task',
    shows: ['It watches now.'],
    process: 'Idle, 1 task in the background',
  },
  {
    name: 'a question about a command',
    prompt: 'Run the tests once',
    play: async (turn) => {
      await turn.say('Now the tests.', 'answer');
      await asksToRun(turn, 'npm test -- --run', 'Run the tests once');
      return 'end_turn';
    },
    after: waiting('a question about a command'),
    row: 'Asks to run a command',
    shows: ['Run this command?', 'npm test -- --run', 'Runs in'],
    offers: [/^Allow once/, /^Allow for this session/, /^Deny/, /^Deny and say why/],
    process: 'Waiting for you',
  },
  {
    name: 'a question about an edit',
    prompt: 'Read dates as UTC',
    play: async (turn, stage) => {
      await asksToEdit(turn, stage.write(file(stage, 'parse.ts'), 'local\n'), ['local', 'utc']);
      return 'end_turn';
    },
    after: waiting('a question about an edit'),
    row: 'Asks to edit a file',
    shows: [/^Edit .*parse\.ts/],
    offers: [/^Allow once/, /^Accept edits in this session/, /^Deny/],
    process: 'Waiting for you',
  },
  {
    name: 'several questions',
    prompt: 'Clean up and install it',
    project: 'website',
    play: async (turn) => {
      await Promise.all([
        asksToRun(turn, 'rm -rf build', 'Clean up'),
        asksToRun(turn, 'sudo make install', 'Install it'),
        asksToRun(turn, `echo ${'word '.repeat(120)}`, 'A long one'),
      ]);
      return 'end_turn';
    },
    after: async (stage, id) => {
      await waiting('several questions')(stage);
      await until(async () => (await stage.stack.app.sessionQuestions(id)).length === 3);
    },
    row: 'Asks to run a command and 2 more',
    shows: ['Run this command?', '1 of 3'],
    offers: [/^Allow once/],
    process: 'Waiting for you, 3 questions',
  },
  {
    name: 'questions with choices',
    prompt: 'Put the menu in a better place',
    play: async (turn) => {
      await asksForChoices(turn);
      return 'end_turn';
    },
    after: waiting('questions with choices'),
    row: 'Asks: Menu, Browsers',
    shows: ['Claude has 2 questions', 'Where shall the menu go?', 'Drawer'],
    offers: ['Next', 'Don’t answer'],
    process: 'Waiting for you',
  },
  {
    name: 'a plan',
    prompt: 'Move all dates to UTC',
    play: async (turn) => {
      await asksAboutPlan(turn, plan);
      return 'end_turn';
    },
    after: waiting('a plan'),
    row: 'Asks about its plan',
    shows: ['Go ahead with this plan?', 'Dates in UTC', 'Commands ask either way.'],
    offers: [/^Approve and accept edits/, /^Approve and ask first/, /^Keep planning/],
    process: 'Waiting for you',
  },
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
      const atWork = ['running', 'waiting'];
      const atOnce = (await app.heldSessions()).filter(({ state }) => atWork.includes(state)).length;
      await app.changePreferences({ sessions: { atOnce } });
    },
    after: async (stage) => stage.reaches('one in line', 'in-line'),
    row: 'In line',
    shows: ['In line'],
    offers: ['Stop'],
    process: 'In line',
  },
];
