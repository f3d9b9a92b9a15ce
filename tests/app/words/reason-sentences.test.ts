import { expect, it } from 'vitest';
import { compactionIn, compactionSentence, resultsSentence, toolsIn } from '../../../app/words/reason-sentences.ts';

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
