import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callRunning, runningProxy } from '../../../app/server/running-proxy.ts';
import { callPath, newSecret, whoAnswers } from '../../../app/server/who-answers.ts';
import { startImpostor } from '../../impostor.ts';
import { pathsIn, type Stack, startStack } from '../stack.ts';

let home: string;
let stack: Stack;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-who-'));
  stack = await startStack({ home });
});
afterEach(async () => {
  await stack.close();
  rmSync(home, { recursive: true, force: true });
});
const lock = () => pathsIn(home).lock;
const owner = () => JSON.parse(readFileSync(lock(), 'utf8'));

it('a Jumpseat proves that it has the port, with a secret that its owner alone can read', async () => {
  expect(owner()).toEqual({ pid: process.pid, port: expect.any(Number), secret: expect.stringMatching(/^\w{64}$/) });
  expect(statSync(lock()).mode & 0o777).toBe(0o600);
  expect(await whoAnswers(owner())).toBe('jumpseat');
  expect(await runningProxy(lock())).toEqual({ pid: process.pid, port: owner().port, baseUrl: stack.baseUrl });
});

it('a program that says it is Jumpseat is another one, also where it passes the question on', async () => {
  const { port, secret } = owner();
  for (const impostor of [await startImpostor(), await startImpostor(port)]) {
    expect(await whoAnswers({ port: impostor.port, secret })).toBe('another');
    writeFileSync(lock(), JSON.stringify({ pid: process.pid, port: impostor.port, secret }));
    expect(await runningProxy(lock())).toBeNull();
    expect(impostor.asked).toBe(2);
  }
});

it('proves itself once for all that is asked in a moment', async () => {
  const asked: string[] = [];
  const note = (message: unknown): void => {
    asked.push((message as { request: ClientRequest }).request.path);
  };
  subscribe('http.client.request.start', note);
  expect(await runningProxy(lock())).not.toBeNull();
  for (let count = 0; count < 2; count++) expect(await callRunning(lock(), 'state')).not.toBeNull();
  unsubscribe('http.client.request.start', note);
  expect(asked.filter((path) => path === '/healthz' || path.startsWith(callPath))).toEqual([
    '/healthz',
    `${callPath}state`,
    `${callPath}state`,
  ]);
});

it('proves itself for each of those that are asked at once', async () => {
  expect(await runningProxy(lock())).not.toBeNull();
  const both = await Promise.all([callRunning(lock(), 'state'), callRunning(lock(), 'state')]);
  expect(both).not.toContain(null);
});

it('another secret, or none, proves nothing', async () => {
  const { port } = owner();
  expect(await whoAnswers({ port, secret: newSecret() })).toBe('another');
  writeFileSync(lock(), JSON.stringify({ pid: process.pid, port }));
  expect(await runningProxy(lock())).toBeNull();
});

it('only a question of the form is answered, and none without it', async () => {
  for (const challenge of [null, '', 'x', '0'.repeat(63), '0'.repeat(65), 'G'.repeat(64)]) {
    const { headers } = await stack.send({
      path: '/healthz',
      headers: { authorization: null, 'x-jumpseat-challenge': challenge },
    });
    expect(headers['x-jumpseat-proof']).toBeUndefined();
  }
});
