import { until } from '../../soon.ts';
import { file, type Play, waiting } from './play.ts';
import { asksAboutPlan, asksForChoices, asksToEdit, asksToRun } from './steps.ts';

const plan = [
  '# Dates in UTC',
  '',
  '1. Move `parse.ts` to UTC.',
  '2. Move the tests.',
  '3. Say so in the README.',
].join('\n');

/** Sessions that wait for the person. */
export const asking: readonly Play[] = [
  {
    name: 'a question about a command',
    prompt: 'Run the tests once',
    play: async (turn, stage) => {
      await stage.request(turn);
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
    play: async (turn, stage) => {
      await stage.request(turn);
      await asksAboutPlan(turn, plan);
      return 'end_turn';
    },
    after: waiting('a plan'),
    row: 'Asks about its plan',
    shows: ['Go ahead with this plan?', 'Dates in UTC', 'Commands that do more ask.'],
    offers: [/^Approve and accept edits/, /^Approve and ask first/, /^Keep planning/],
    process: 'Waiting for you',
  },
];
