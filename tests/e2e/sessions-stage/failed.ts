import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { file, goesOn, idle, type Play } from './play.ts';
import { step } from './steps.ts';

/** Sessions whose last turn ended otherwise than it was meant to. */
export const failed: readonly Play[] = [
  {
    // First: all sessions that are at rest share the process.
    name: 'one whose process ended',
    prompt: 'Build the whole thing for release',
    project: 'billing',
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
    name: 'one that failed',
    prompt: 'Mend the page of prices',
    project: 'website',
    play: async (turn, stage) => {
      const path = file(stage, 'page.html', 'website');
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
    project: 'billing',
    play: async (turn, stage) => {
      const body = { error: { code: 'invalid_request_body', message: 'The picture can’t be read.' } };
      stage.stack.simulator.script.next({ kind: 'answer', status: 400, body });
      await stage.request(turn);
      throw new RequestError(-32603, 'The picture can’t be read.', { errorKind: 'invalid_request' });
    },
    after: idle('one that Copilot refused'),
    row: 'Refused by Copilot',
    shows: [/^Copilot refused a request of this turn\./, '400'],
    offers: ['Try again', 'Try again with another model…', /^Show request [0-9a-f]{8}$/],
    process: 'Failed',
  },
  {
    name: 'one that reached a limit',
    prompt: 'Sort the reports by week',
    project: 'billing',
    play: async (turn, stage) => {
      const body = { error: { code: 'user_weekly_rate_limited', message: 'weekly' } };
      stage.stack.simulator.script.next({ kind: 'answer', status: 429, headers: { 'retry-after': '7200' }, body });
      await stage.request(turn);
      throw new RequestError(-32603, 'The weekly limit.', { errorKind: 'rate_limit' });
    },
    after: idle('one that reached a limit'),
    row: 'Refused: weekly limit',
    shows: [/Copilot’s weekly limit/, /^Continue (at|on) .* sends “Go on where you stopped\.” once/],
    offers: ['Try again', /^Continue (at|on) /],
    process: 'Failed',
  },
  {
    name: 'one that a limit stopped amid its work',
    prompt: 'Rename the tables of last year',
    project: 'billing',
    play: async (turn, stage) => {
      await turn.say('The tables of spring are done.', 'answer');
      const body = { error: { code: 'user_model_rate_limited', message: 'slow down' } };
      stage.stack.simulator.script.next({ kind: 'answer', status: 429, body });
      await stage.request(turn);
      throw new RequestError(-32603, 'Slow down.', { errorKind: 'rate_limit' });
    },
    after: idle('one that a limit stopped amid its work'),
    row: 'Stopped by a limit of Copilot’s',
    shows: [
      /^A limit of Copilot’s stopped this turn\. Copilot limits how often you may use this model\./,
      'Continue sends “Go on where you stopped.” It counts as a user request.',
    ],
    offers: ['Continue', 'Try again'],
    process: 'Failed',
  },
  {
    name: 'one whose answer was too long',
    prompt: 'Write all that was decided this year',
    project: 'website',
    play: async (turn) => {
      await turn.say('In January it was decided', 'answer');
      const words =
        "API Error: Claude's response exceeded the 32000 output token maximum. To configure this behavior, set the " +
        'CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.';
      await turn.say(words, 'error');
      throw new RequestError(-32603, `Internal error: ${words}`, { errorKind: 'max_output_tokens' });
    },
    after: idle('one whose answer was too long'),
    row: 'Answer cut at its token limit',
    shows: [
      /^The answer was cut at 32,000 tokens, the limit of one answer\. Everything before that is saved\.$/,
      'Continue sends “Go on where you stopped.” It counts as a user request.',
    ],
    offers: ['Continue'],
    process: 'Failed',
  },
  {
    name: 'one that lost the connection',
    prompt: 'Compare the two parsers',
    project: 'billing',
    play: async (turn, stage) => {
      const remedy = stage.stack.simulator.script.always({ kind: 'reset' });
      await stage.request(turn);
      remedy();
      throw new RequestError(-32603, 'Connection error.', { errorKind: 'server_error' });
    },
    after: idle('one that lost the connection'),
    row: 'No connection',
    shows: [/^The connection to Copilot was lost\./],
    offers: ['Try again'],
    process: 'Failed',
  },
];
