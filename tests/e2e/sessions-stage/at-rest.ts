import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePath } from '../../app/sessions/transcripts/samples.ts';
import { longAnswer } from './answers.ts';
import { file, goesOn, idle, type Play, running } from './play.ts';
import { edit, step, thinks } from './steps.ts';

/** Sessions in which nothing goes on. */
export const atRest: readonly Play[] = [
  {
    name: 'one that is done and seen',
    prompt: 'Let deliveries be tried again',
    project: 'webhooks',
    play: async (turn, stage) => {
      const path = file(stage, 'deliver.ts', 'webhooks');
      await stage.request(turn);
      await thinks(turn, 'The file first.');
      await step(turn, {
        ...{ tool: 'Read', kind: 'read', input: { file_path: path } },
        response: {
          type: 'text',
          file: { filePath: 'deliver.ts', content: 'x', numLines: 57, startLine: 1, totalLines: 57 },
        },
        output: '1\tx',
      });
      await step(turn, { tool: 'Grep', kind: 'search', input: { pattern: 'retry' }, output: 'deliver.ts:1:retry' });
      await stage.request(turn, 'agent');
      stage.write(path, 'new\n');
      await edit(turn, path, 'old\n', ['old', 'new']);
      await stage.request(turn, 'agent');
      await step(turn, {
        ...{ tool: 'Bash', kind: 'execute', input: { command: 'npm test', description: 'Run the tests' } },
        ...{ output: '3 passed\n', exit: 0, response: { stdout: '3 passed\n', stderr: '', interrupted: false } },
      });
      await turn.update({ sessionUpdate: 'usage_update', used: 63_902, size: 168_000 } as never);
      await stage.request(turn, 'agent');
      await turn.say(longAnswer, 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one that is done and seen')(stage);
      await stage.stack.app.sawSession(id);
    },
    row: /^Done\s+\+1\s*−1\s+\d+\.\d\d$/m,
    shows: ['npm test', 'The docs', 'Edit', /^\d+\.\d\d credits$/],
    offers: ['Copy answer', 'Fork after this turn', /^1 file/],
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
    project: 'website',
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
      const conversation = join(project, `${id}.jsonl`);
      copyFileSync(samplePath('tools-image-title'), conversation);
      // Its place in the list is that of its file.
      const at = new Date(stage.now());
      utimesSync(conversation, at, at);
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
    name: 'one without its folder',
    prompt: 'Say what the old site did',
    project: 'old-site',
    play: async (turn) => {
      await turn.say('It showed the timetable.', 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one without its folder')(stage);
      await stage.stack.app.sawSession(id);
      rmSync(stage.folder('old-site'), { recursive: true });
    },
    row: 'Done',
    shows: ['It showed the timetable.', /old-site no longer exists\.$/],
    offers: ['Choose where it is now…'],
    grey: ['Send'],
    process: 'Idle',
  },
  {
    name: 'one in which nothing was said',
    prompt: '',
    project: 'notes',
    play: async () => 'end_turn',
    after: (stage) => stage.reaches('one in which nothing was said', 'provisional'),
    row: null,
    shows: [],
    process: 'No process yet',
  },
  {
    name: 'one with a background task',
    prompt: 'Watch the build for me',
    play: async (turn) => {
      const task = { task_id: 'b1', task_type: 'local_bash', description: 'npm run watch' };
      await turn.raw({ type: 'system', subtype: 'background_tasks_changed', tasks: [task] });
      await step(turn, {
        ...{ tool: 'Bash', kind: 'execute', input: { command: 'npm run watch', run_in_background: true } },
        response: { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1' },
        output: 'Command running in background with ID: b1',
      });
      await turn.say('It watches now.', 'answer');
      return 'end_turn';
    },
    after: idle('one with a background task'),
    row: 'Waiting for a background task',
    shows: ['It watches now.', 'npm run watch', 'In the background'],
    process: 'Idle, 1 task in the background',
  },
  {
    name: 'one that is being read',
    prompt: 'Sum up the notes of the release',
    project: 'notes',
    play: async (turn) => {
      await turn.say('There are three.', 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one that is being read')(stage);
      await stage.stack.app.sawSession(id);
    },
    reading: 'goes on',
    row: 'Done',
    shows: ['The conversation is being read.'],
    grey: ['Send'],
    process: '–',
  },
  {
    name: 'one that can’t be read',
    prompt: 'List the licences',
    project: 'notes',
    play: async (turn) => {
      await turn.say('MIT, all of them.', 'answer');
      return 'end_turn';
    },
    after: async (stage, id) => {
      await idle('one that can’t be read')(stage);
      await stage.stack.app.sawSession(id);
    },
    reading: 'fails',
    row: 'Done',
    shows: [/^This conversation can’t be read\./, /The disk is gone\. Bring it back\./],
    offers: ['Try again', 'Open folder'],
    grey: ['Send'],
    process: '–',
  },
];
