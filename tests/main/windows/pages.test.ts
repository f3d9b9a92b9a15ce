import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayAsk } from '../../../main/windows/ipc.ts';
import { fileFor, isOurs, mayOpenOutside } from '../../../main/windows/pages.ts';

const folder = join('/', 'dist', 'renderer');

describe('files of our scheme', () => {
  it.each([
    ['app://bundle/', 'index.html', 'text/html; charset=utf-8'],
    ['app://bundle/index.html?view=x#/requests', 'index.html', 'text/html; charset=utf-8'],
    ['app://bundle/assets/index-1a.js', 'assets/index-1a.js', 'text/javascript; charset=utf-8'],
  ])('%s', (address, path, type) => {
    expect(fileFor(address, folder)).toEqual({ path: join(folder, path), type });
  });

  it.each(['app://bundle/../main/main.js', 'app://bundle/%2e%2e/main/main.js'])(
    'plain steps up lead nowhere, because the address is parsed first: %s',
    (address) => {
      expect(fileFor(address, folder)?.path).toBe(join(folder, 'main', 'main.js'));
    },
  );

  it.each([
    'app://bundle/..%2fmain/main.js',
    'app://bundle/%2e%2e%2f%2e%2e%2fetc/passwd.html',
    'app://bundle/a%00.html',
    'app://bundle/%zz.html',
    'app://bundle/secret.json',
    'app://other/index.html',
    'file:///etc/index.html',
    'https://bundle/index.html',
    'no address',
  ])('there is none for %s', (address) => {
    expect(fileFor(address, folder)).toBeNull();
  });
});

describe('who may ask over IPC', () => {
  const page = { url: 'app://bundle/index.html#/requests' };

  it('our page in the main frame', () => {
    expect(mayAsk({ senderFrame: page, sender: { mainFrame: page } })).toBe(true);
  });

  it.each([
    ['a frame that is gone', null, page],
    ['a frame inside our page', { url: page.url }, page],
    ['another origin', { url: 'https://example.com/' }, null],
    ['an origin that begins like ours', { url: 'app://bundle.example.com/' }, null],
    ['a file', { url: 'file:///app/bundle/index.html' }, null],
    ['an empty page', { url: 'about:blank' }, null],
  ])('not %s', (_title, senderFrame, mainFrame) => {
    expect(mayAsk({ senderFrame, sender: { mainFrame: mainFrame ?? senderFrame ?? page } })).toBe(false);
  });
});

it('our origin is compared as parsed', () => {
  expect(['app://bundle/', 'app://bundle/x', 'app://bundle.x/', 'app://user@bundle/', 'x'].map(isOurs)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

it.each([
  ['http://127.0.0.1:4000/login/device', '127.0.0.1:4000', true],
  ['http://127.0.0.1:4001/login/device', '127.0.0.1:4000', false],
  ['http://127.0.0.1:4000/login/device', 'github.com', false],
  ['http://tenant.ghe.com/login/device', 'tenant.ghe.com', false],
])('the browser may be sent to %s where people sign in on %s: %s', (address, host, may) => {
  expect(mayOpenOutside(address, host)).toBe(may);
});

it.each([
  ['https://github.com/login/device', true],
  ['https://docs.github.com/copilot', true],
  ['https://tenant.ghe.com/login/device', true],
  ['http://github.com/', false],
  ['https://github.com:8443/', false],
  ['https://github.com.example.com/', false],
  ['https://user:password@github.com/', false],
  ['https://other.ghe.com/', false],
  ['file:///etc/passwd', false],
  ['nonsense', false],
])('the browser may be sent to %s: %s', (address, may) => {
  expect(mayOpenOutside(address, 'tenant.ghe.com')).toBe(may);
});
