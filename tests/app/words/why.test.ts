import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../../app/api/exchange.ts';
import {
  compactionIn,
  compactionSentence,
  marksAreOff,
  resultsSentence,
  toolsIn,
  why,
} from '../../../app/words/why.ts';

const asked = (rule: string, sentence = 'x', code: ReasonCode = 'prompt') => ({
  reason: { code, rule, sentence },
  client: 'claude-code',
  requestClass: 'main',
  prompt: '1ec277a0-93f1',
  agentType: 'Explore',
});

describe('why a request was whose', () => {
  it.each([
    ['main-new-prompt', 'x', 'First request of a new prompt'],
    ['main-seen-prompt', 'results of Read, Bash', 'Tool results: Read, Bash'],
    ['body-agent', 'results of tools', 'Tool results'],
    ['class-subagent', 'x', 'Subagent Explore'],
    ['class-compaction', 'compaction (auto)', 'Compaction: automatic'],
    ['class-compaction', 'compaction (manual)', 'Compaction: by you'],
    ['class-compaction', 'compaction', 'Compaction'],
    ['class-auxiliary', 'title', 'Auxiliary: title'],
    ['attempt', 'prompt, second attempt; the first was refused with 429', 'Another attempt of this prompt'],
    ['unsure', 'x', 'Not sure, so counted as user'],
    ['a-rule-of-tomorrow', 'said of it', 'Said of it'],
  ])('%s (%s)', (rule, sentence, title) => {
    expect(why(asked(rule, sentence))?.title).toBe(title);
  });

  it('every rule of the decision has its words', () => {
    const rules = [
      [
        'main-new-prompt',
        'main-seen-prompt',
        'main-interjection',
        'main-notification',
        'class-subagent',
        'class-workflow',
      ],
      ['class-compaction', 'class-auxiliary', 'class-side-reply', 'resume', 'body-user', 'body-agent', 'unsure'],
      [
        'side-question',
        'scheduled',
        'repeat',
        'attempt',
        'hook',
        'continuation',
        'token-count',
        'openai-user',
        'openai-agent',
      ],
    ].flat();
    expect(rules.filter((rule) => why(asked(rule))?.sentence === '')).toEqual([]);
  });

  it('names the prompt by four letters', () => {
    expect(why(asked('main-seen-prompt'))?.sentence).toBe(
      'Claude Code marked it main; prompt 1ec2 was already counted.',
    );
  });

  it('an attempt after a refusal is said to be accepted by nobody yet, not to cost nothing', () => {
    expect(why(asked('attempt', 'prompt, second attempt; the first was refused with 503'))?.sentence).toBe(
      'Prompt, second attempt; the first was refused with 503. No attempt before it was accepted, so it still counts as yours.',
    );
  });

  it('nothing was decided, nothing is said', () => {
    expect(why({ ...asked('x'), reason: null })).toBeNull();
  });
});

it('marks are off where Claude Code sent no class', () => {
  expect(marksAreOff({ client: 'claude-code', requestClass: null, api: 'messages' })).toBe(true);
  expect(marksAreOff({ client: 'claude-code', requestClass: 'main', api: 'messages' })).toBe(false);
  expect(marksAreOff({ client: 'codex', requestClass: null, api: 'chat' })).toBe(false);
});

it('a sentence of results gives back the tools that were put in, and none where they are not known', () => {
  expect(resultsSentence('Read, Bash and 2 more')).toBe('results of Read, Bash and 2 more');
  expect(toolsIn(resultsSentence('Read, Bash and 2 more'))).toBe('Read, Bash and 2 more');
  expect(resultsSentence('')).toBe('results of tools');
  expect([toolsIn(resultsSentence('')), toolsIn('new prompt 1ec2')]).toEqual(['', '']);
});

it('a sentence of a compaction gives back how it came about, and null where that is not known', () => {
  expect(compactionSentence('auto')).toBe('compaction (auto)');
  expect(compactionIn(compactionSentence('auto'))).toBe('auto');
  expect(compactionIn(compactionSentence(null))).toBeNull();
});
