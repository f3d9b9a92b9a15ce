import { expect, it } from 'vitest';
import { withoutSpeaker } from '../../../app/words/without-speaker.ts';

it('leaves out who speaks at the beginning of a sentence, and nothing else', () => {
  expect(withoutSpeaker('Jumpseat: too many requests. Wait.')).toBe('too many requests. Wait.');
  expect(withoutSpeaker('Copilot said: Jumpseat: no.')).toBe('Copilot said: Jumpseat: no.');
});
