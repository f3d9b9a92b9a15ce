import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Stack, sendTo, startStack } from '../stack.ts';

/** The page of the dashboard, as it leaves the server. */

const html = '<!doctype html>\n<html lang="en">\n  <head><title>Jumpseat</title></head>\n</html>\n';

let stack: Stack;
let folder: string;
let cookie: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-page-'));
  writeFileSync(join(folder, 'index.html'), html);
  stack = await startStack({ app: { dashboard: folder } });
  const { dashboardUrl } = await stack.app.startProxy();
  const link = new URL(dashboardUrl);
  const first = await sendTo(stack.baseUrl, { path: `${link.pathname}${link.search}` });
  cookie = String(first.headers['set-cookie']?.[0]).split(';')[0] ?? '';
});
afterAll(async () => {
  await stack.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (path = '/ui/'): Promise<Answer> => sendTo(stack.baseUrl, { path, headers: { cookie } });

it('has the chosen theme on its root, so that no other one is painted first', async () => {
  expect((await page()).text).toBe(html);
  await stack.app.changePreferences({ theme: 'dark' });
  const dark = await page('/ui/?link=used');
  expect(dark.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(dark.headers['cache-control']).toBe('no-store');
  expect(dark.text).toBe(html.replace('<html lang="en">', '<html data-theme="dark" lang="en">'));
  await stack.app.changePreferences({ theme: 'light' });
  expect((await page()).text).toContain('<html data-theme="light" lang="en">');
  await stack.app.changePreferences({ theme: 'system' });
  expect((await page()).text).toBe(html);
});

it('has its parts also where they are packed, of that name alone', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'view-a1.js'), 'export const plain = 1;');
  writeFileSync(join(folder, 'assets', 'view-b2.js.br'), brotliCompressSync('export const packed = "ü";'));
  writeFileSync(join(folder, 'index.js.br'), brotliCompressSync('outside'));
  expect((await page('/ui/assets/view-a1.js')).text).toBe('export const plain = 1;');
  const packed = await page('/ui/assets/view-b2.js');
  expect([packed.status, packed.text]).toEqual([200, 'export const packed = "ü";']);
  expect(packed.headers['content-type']).toBe('text/javascript; charset=utf-8');
  for (const path of ['/ui/assets/none.js', '/ui/assets/..%2findex.js', '/ui/assets/view-b2'])
    expect((await page(path)).status).toBeGreaterThanOrEqual(400);
});

it('is found below its folder alone, where its parts are', async () => {
  const sent = await page('/ui');
  expect([sent.status, sent.headers.location]).toEqual([301, '/ui/']);
});
