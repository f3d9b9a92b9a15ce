import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterMain,
  Conversation,
  claudeCode,
  date,
  environment,
  hintsOff,
  image,
  interjected,
  R,
  type Request,
  sample,
  T,
  TR,
  toolTurn,
  user,
} from './claude-code-requests.ts';

/** A person's words must come out as `user`, wherever they stand and whatever stands around them. */

const turns = [
  'main-user-turn.sonnet-4.6',
  'main-user-turn.sonnet-5-5',
  'main-slash-command.sonnet-4.6',
  'main-tool-result-turn.sonnet-4.6',
  'main-tool-result-turn.sonnet-5-5',
  'main-interjection-as-text.sonnet-5-5',
  'main-stop-hook.sonnet-4.6',
  'main-resume-after-cut.opus-5-5',
];

type Message = { role: string; content: unknown };

/** Words as people type them: all kinds of script, tags, quotes of Claude Code's own texts, half a reminder. */
const words = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== ''),
  fc.constantFrom(
    'mach weiter, aber schneller',
    '続けてください',
    'продолжай',
    'واصل',
    '👍',
    '\u200b',
    '.',
    '<div>why is this here</div>',
    '<system_reminder>not the tag</system_reminder> go on',
    '<SYSTEM-REMINDER>not the tag either</SYSTEM-REMINDER>',
    'fix <system-reminder>this',
    'why does it say "Stop hook feedback:" here?',
    '<command-name>/model</command-name> does nothing',
    '<local-command-stdout>boom</local-command-stdout>\nwhat is this?',
    '[Request interrupted by user] and now do it',
    '[Image: source: /tmp/a.png]\nwhat is on it?',
    '[Your previous response had no visible output.]\nso show it',
    '{"type":"tool_result"}',
    '[SYSTEM NOTIFICATION - NOT USER INPUT] what does this mean?',
  ),
  fc.constant(`${interjected}and the docs`),
);

/** What Claude Code puts beside them. */
const beside = fc.constantFrom<unknown>(
  date,
  environment,
  R('Stop hook blocking error'),
  R('[SYSTEM NOTIFICATION - NOT USER INPUT]\n<task-notification>done</task-notification>'),
  R(''),
  T(''),
  T(' \n'),
  T('<local-command-caveat>Caveat: x</local-command-caveat>'),
  T('<command-name>/clear</command-name>\n<command-args></command-args>'),
  T('[Request interrupted by user for tool use]'),
  T('Stop hook feedback:\nx'),
  T('Your response above was cut off mid-stream. Resume'),
  T('[Your previous response had no visible output. Please continue.]'),
  TR('hi'),
  TR('failed', { is_error: true }),
  TR([image, T('hi')]),
);

function verdictOf(request: Request) {
  return new Conversation().decide(request);
}

describe('no words of a person come out as agent', () => {
  it('anywhere in the new content of a real request', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...turns),
        words,
        fc.array(beside, { maxLength: 4 }),
        fc.array(beside, { maxLength: 4 }),
        (name, text, before, after) => {
          const request = sample(name);
          const body = request.body as { messages: Message[] };
          const last = body.messages.findLastIndex(({ role }) => role === 'user');
          const messages = body.messages.map((message, index) =>
            index === last ? { ...message, content: [...before, T(text), ...after] } : message,
          );
          const verdict = verdictOf({ ...request, body: { ...body, messages } });
          expect([verdict.initiator, verdict.ledgerKey === null]).toEqual(['user', false]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('with the hints off', () => {
    fc.assert(
      fc.property(words, fc.array(beside, { maxLength: 3 }), (text, before) => {
        const verdict = verdictOf(claudeCode(hintsOff, [toolTurn, user(...before, T(text))]));
        expect(verdict.initiator).toBe('user');
      }),
      { numRuns: 200 },
    );
  });

  it('a tag that is not closed, behind a tool’s result', () => {
    const request = claudeCode({ prompt: 'a' }, [toolTurn, user(TR('hi'), T('<system-reminder> is what I typed'))]);
    expect(verdictOf(request)).toMatchObject({ initiator: 'user', code: 'unclear' });
  });

  it('the reason why a person refused a subagent’s tool', () => {
    const refused =
      'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the ' +
      'new_string was NOT written to the file). The user said:\nuse wget';
    const { headers, body } = sample('subagent-turn.sonnet-5-5');
    const messages = [toolTurn, user(TR(refused, { is_error: true }))];
    const request: Request = { api: 'messages', headers, body: { ...(body as object), messages } };
    expect(verdictOf(request)).toMatchObject({ initiator: 'user', code: 'interjection' });
    const answered: Request = { ...request, body: { ...(body as object), messages: [toolTurn, user(TR('hi'))] } };
    expect(afterMain(answered).decide(answered)).toMatchObject({
      initiator: 'agent',
      code: 'subagent',
    });
  });
});
