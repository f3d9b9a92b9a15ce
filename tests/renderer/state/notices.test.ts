import { expect, it } from 'vitest';
import { announce } from '../../../renderer/state/notices.ts';
import { createWindowStore } from '../../../renderer/state/window-state.ts';

it('what is said again is another text to a screen reader, which tells of changes alone', () => {
  const store = createWindowStore();
  const said = ['website waits for you', 'website waits for you', 'website waits for you'].map((text) => {
    announce(store, text);
    return store.getState().polite;
  });
  expect(said.map((text) => text.trim())).toEqual(Array(3).fill('website waits for you'));
  expect(said[1]).not.toBe(said[0]);
  expect(said[2]).not.toBe(said[1]);
});
