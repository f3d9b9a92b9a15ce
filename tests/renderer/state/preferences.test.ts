import { afterEach, expect, it, vi } from 'vitest';
import { forgetOldKeys } from '../../../renderer/state/preferences.ts';

afterEach(() => vi.unstubAllGlobals());

it('what earlier versions remembered under another name goes, and nothing else', () => {
  const held = new Map([
    ['jumpseat.theme', 'dark'],
    ['jumpseat.columns', '[]'],
  ]);
  vi.stubGlobal('window', { localStorage: { removeItem: (key: string) => held.delete(key) } });
  forgetOldKeys();
  expect([...held.keys()]).toEqual(['jumpseat.columns']);
});

it('a window without storage starts all the same', () => {
  vi.stubGlobal('window', {});
  expect(forgetOldKeys).not.toThrow();
});
