import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isChord, type PressedKey } from '../../../renderer/parts/shortcuts.ts';
import { isKey, keyGroups, keyOf, keyWords, sessionShortcuts } from '../../../renderer/sessions/session-shortcuts.ts';

const pressed = (key: string, held: Partial<PressedKey> = {}): PressedKey => ({
  ...{ key, code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
  ...held,
});
const on = (platform: string): void => {
  vi.stubGlobal('navigator', { platform });
};
afterEach(() => vi.unstubAllGlobals());

describe('a key', () => {
  it('is pressed with what is to be held, and with nothing else', () => {
    on('Linux x86_64');
    const ctrl = { ctrlKey: true };
    expect(isChord(pressed('d', ctrl), 'Mod+D')).toBe(true);
    expect(isChord(pressed('D', { ...ctrl, shiftKey: true }), 'Mod+D')).toBe(false);
    expect(isChord(pressed('d', { ...ctrl, altKey: true }), 'Mod+D')).toBe(false);
    expect(isChord(pressed('d', { metaKey: true }), 'Mod+D')).toBe(false);
    expect(isChord(pressed('d'), 'Mod+D')).toBe(false);
    on('MacIntel');
    expect(isChord(pressed('d', ctrl), 'Mod+D')).toBe(false);
    expect(isChord(pressed('d', { metaKey: true }), 'Mod+D')).toBe(true);
  });

  it('is known by its place where what is held makes another sign of it', () => {
    on('Linux x86_64');
    const held = { ctrlKey: true, shiftKey: true };
    expect(isChord(pressed(':', { ...held, code: 'Period' }), 'Mod+Shift+.')).toBe(true);
    expect(isChord(pressed('/', { shiftKey: true, code: 'Digit7' }), '/')).toBe(true);
    expect(isChord(pressed('?', { shiftKey: true }), '?')).toBe(true);
    expect(isChord(pressed('˜', { altKey: true, code: 'KeyN' }), 'Alt+N')).toBe(true);
  });

  it('is another one in a browser, which keeps Ctrl+N and Ctrl+P', () => {
    on('Linux x86_64');
    const { newSession, changes } = sessionShortcuts.view;
    expect([keyWords(newSession), keyWords(newSession, true)]).toEqual(['Ctrl+N', 'Alt+N']);
    expect(keyWords(changes, true)).toBe('Ctrl+D');
    expect(isKey(pressed('n', { ctrlKey: true }), newSession, true)).toBe(false);
    expect(isKey(pressed('n', { altKey: true }), newSession, true)).toBe(true);
  });

  it('that is a single letter is none while those are switched off', () => {
    on('Linux x86_64');
    expect(keyOf(pressed('a'), sessionShortcuts.changes, true)).toBe('accept');
    expect(keyOf(pressed('a'), sessionShortcuts.changes, false)).toBeNull();
    expect(keyOf(pressed('N', { shiftKey: true }), sessionShortcuts.changes, true)).toBe('placeBefore');
    expect(keyOf(pressed('ArrowUp'), sessionShortcuts.changes, false)).toBe('up');
  });

  it('is called as the platform calls it', () => {
    on('MacIntel');
    expect([keyWords(sessionShortcuts.view.permissions), keyWords(sessionShortcuts.list.remove)]).toEqual([
      '⌘⇧M',
      'Del',
    ]);
  });
});

it('no two keys of one place are the same, and every one is listed', () => {
  on('Linux x86_64');
  const groups = keyGroups(false);
  expect(groups.map(({ keys }) => keys.length)).toEqual(
    Object.values(sessionShortcuts).map((keys) => Object.keys(keys).length),
  );
  for (const keys of Object.values(sessionShortcuts)) {
    const chords = Object.values(keys).flatMap(({ chords }) => chords);
    expect(new Set(chords).size).toBe(chords.length);
  }
});

describe('the document of the keys', () => {
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'sessions-window.md');

  beforeEach(() => on('Linux x86_64'));

  it('docs/sessions-window.md has every key of the view, and no other', () => {
    const text = readFileSync(file, 'utf8').split('\n## Keys\n')[1] ?? '';
    const rows = [...text.matchAll(/^\|(.*)\|(.*)\|(.*)\|$/gm)]
      .slice(2)
      .map((row) => row.slice(1).map((cell) => cell.trim()));
    const inBrowser = keyGroups(true);
    const expected = keyGroups(false).flatMap(({ heading, keys }, group) =>
      keys.map(({ key, does }, index) => {
        const other = inBrowser[group]?.keys[index]?.key;
        return [index === 0 ? heading : '', other === key ? key : `${key}; in a browser ${other}`, does];
      }),
    );
    expect(rows).toEqual(expected);
  });
});
