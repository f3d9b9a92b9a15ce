import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { comeBack } from '../../main/come-back.ts';
import { LineLog } from '../app/account/surroundings.ts';

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
