import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { comeBack, reloadOnce } from '../../../main/windows/lost-page.ts';
import { LineLog } from '../../app/account/surroundings.ts';

const home = 'app://bundle/index.html';

it.each<[string, unknown[], boolean]>([
  ['did-navigate', ['about:blank'], true],
  ['did-navigate', ['data:text/html,x'], true],
  ['did-navigate', ['app://bundle/index.html#/settings'], false],
  ['did-fail-load', [-300, 'ERR_INVALID_URL', 'about:srcdoc', true], true],
  ['did-fail-load', [-300, 'ERR_INVALID_URL', 'about:srcdoc', false], false],
  ['did-fail-load', [-3, 'ERR_ABORTED', 'https://example.com/', true], false],
  ['did-fail-load', [-6, 'ERR_FILE_NOT_FOUND', home, true], false],
])('%s %j: back to our page: %s', (event, given, back) => {
  const webContents = new EventEmitter();
  const loaded: string[] = [];
  const loadURL = async (url: string) => {
    loaded.push(url);
    throw new Error('ERR_ABORTED');
  };
  comeBack({ webContents, loadURL }, home, new LineLog());
  webContents.emit(event, {}, ...given);
  expect(loaded).toEqual(back ? [home] : []);
});

function crashing() {
  let now = 0;
  const done: string[] = [];
  const log = new LineLog();
  const page = Object.assign(new EventEmitter(), { reload: () => done.push('reload') });
  reloadOnce(
    { webContents: page, isDestroyed: () => done.includes('destroy'), destroy: () => done.push('destroy') },
    log,
    () => now,
  );
  return {
    done,
    log,
    async crash(at: number, reason = 'crashed') {
      now = at;
      const before = done.length;
      page.emit('render-process-gone', {}, { reason, exitCode: 5 });
      // Electron crashes when the page is touched at once.
      expect(done).toHaveLength(before);
      await new Promise(setImmediate);
    },
  };
}

it('a page that crashed is loaded again, and closed when it crashes again soon', async () => {
  const { done, log, crash } = crashing();
  await crash(0);
  await crash(59_999);
  expect(done).toEqual(['reload', 'destroy']);
  expect(log.lines.map(({ facts }) => facts)).toEqual([
    { reason: 'crashed', exitCode: 5, next: 'page loaded again' },
    { reason: 'crashed', exitCode: 5, next: 'window closed' },
  ]);
});

it('crashes far apart have nothing to do with each other', async () => {
  const { done, crash } = crashing();
  for (const at of [0, 60_000, 120_000]) await crash(at, 'oom');
  expect(done).toEqual(['reload', 'reload', 'reload']);
});

it('a process that ended in order is no crash', async () => {
  const { done, log, crash } = crashing();
  await crash(0, 'clean-exit');
  expect([done, log.lines]).toEqual([[], []]);
});
