import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import type { ClientName, ClientUse } from '../../../app/api/setup.ts';
import { ClientSetups } from '../../../app/clients/client-setups.ts';
import type { Machine } from '../../../app/clients/machine.ts';
import type { ClientModel } from '../../../app/clients/program.ts';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

export const key = 'the-local-key-of-this-machine';
export const model = (id: string): ClientModel => ({
  ...{ id, name: id, preview: false, endpoints: ['/responses', '/chat/completions'] },
  limits: { promptTokens: 100_000, outputTokens: 16_000 },
  supports: { vision: true, efforts: [], maxThinkingBudget: null },
});

/** A person's home with these files, and what sets programs up there. */
export function stage(own: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-clients-'));
  homes.push(home);
  const baseUrl = 'http://127.0.0.1:4180';
  const given = { key, baseUrl, isKeyKept: true, models: [model('gpt-5.4'), model('claude-sonnet-4.6')] };
  const paths = { home: join(home, 'jumpseat'), backups: join(home, 'jumpseat', 'backups') };
  const machine: Machine = { platform: 'linux', env: {}, home, root: home };
  const setups = new ClientSetups({
    ...{ machine, paths, command: ['jumpseat'] },
    baseUrl: async () => given.baseUrl,
    key: async () => given.key,
    askedKey: async () => given.key,
    isFurtherKey: (one, client) => one === 'further' && client === 'codex',
    isKeyKept: () => given.isKeyKept,
    models: async () => given.models,
  });
  for (const [file, text] of Object.entries(own)) put(file, text);
  function put(file: string, text: string): void {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  const run = async (name: ClientName, action: 'setup' | 'undo', use: ClientUse | null = null) => {
    const plan = await setups.plan(name, use, action);
    await setups.apply(plan.id);
    return plan;
  };
  const read = (file: string) => (existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : null);
  const uses = async (name: ClientName) =>
    (await setups.list()).find((client) => client.name === name)?.uses.map(({ files: _files, ...use }) => use) ?? [];
  const state = async (name: ClientName) => (await uses(name)).map(({ use, state }) => [use, state]);
  const json = (file: string) => JSON.parse(read(file) ?? '');
  const forget = () => rmSync(join(paths.home, 'clients.json'));
  return { json, forget, home, paths, machine, setups, given, put, run, read, uses, state };
}
