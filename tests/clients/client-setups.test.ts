import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientName } from '../../app/api/clients.ts';
import { processesOf } from '../e2e/processes.ts';
import { runPatienceMs } from '../soon.ts';
import { type Ended, Started } from '../started.ts';
import { codexBinary } from './codex.ts';
import { type Product, startProduct } from './product.ts';

/** Programs of others, set up by a command: a prompt with a tool works, and after undo their files are as before. */
let product: Product;
beforeAll(async () => {
  // A key that works tomorrow.
  product = await startProduct({}, null, { JUMPSEAT_KEY: 'k'.repeat(40) });
});
afterAll(() => product?.close());

const programs: Record<string, string> = JSON.parse(process.env.JUMPSEAT_TEST_PROGRAMS ?? '{}');

interface Driven {
  name: ClientName;
  file: string;
  /** What a person has there; null: nothing yet. */
  own: string | null;
  binary: string | undefined;
  args: string[];
  /** With its own tool that runs a command. */
  prompt: string;
  /** It takes the prompt as it stands only there. */
  isPromptOnStdin?: true;
  /** It writes its file anew when it runs, with the time. */
  isWrittenByItself?: true;
  api: 'messages' | 'chat' | 'responses';
}

const driven: Driven[] = [
  {
    name: 'codex',
    file: '.codex/config.toml',
    own: '# mine\r\nmodel = "o3"   # the best\r\ncheck_for_update_on_startup = false\r\n\r\n[analytics]\r\nenabled = false\r\n',
    binary: codexBinary,
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    prompt: 'use: exec_command {"cmd":"echo made-by-it | tee made.txt"}',
    api: 'responses',
  },
  {
    name: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    own: '{\n\t// mine\n\t"$schema": "https://opencode.ai/config.json",\n\t"permission": { "bash": "allow", }, /* end */\n}',
    binary: programs.opencode,
    args: ['run'],
    isPromptOnStdin: true,
    prompt: 'use: bash {"command":"echo made-by-it | tee made.txt","description":"make it"}',
    api: 'messages',
  },
  {
    name: 'continue',
    file: '.continue/config.yaml',
    own: null,
    binary: programs.continue,
    args: ['--auto', '-p'],
    prompt: 'use: Bash {"command":"echo made-by-it | tee made.txt"}',
    api: 'chat',
  },
  {
    name: 'cline',
    file: '.cline/data/settings/providers.json',
    own: '{ "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": { "openai-compatible": { "settings": { "provider": "openai-compatible", "apiKey": "sk-own", "model": "m", "baseUrl": "http://127.0.0.1:9/v1" }, "updatedAt": "2026-11-27T05:27:07.090Z" } } }',
    binary: programs.cline,
    isWrittenByItself: true,
    args: [],
    prompt: 'use: run_commands {"commands":["echo made-by-it | tee made.txt"]}',
    api: 'chat',
  },
];

describe.each(driven.filter(({ binary }) => binary !== undefined && binary !== ''))(
  'the real $name',
  ({ name, file, own, binary = '', args, prompt, isPromptOnStdin = false, isWrittenByItself = false, api }) => {
    it('is set up by a command, runs a tool, and is as before after undo', async () => {
      const path = join(product.home, file);
      const project = mkdtempSync(join(product.home, `${name}-`));
      if (own !== null) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, own);
      }
      const setup = await product.run(['setup', name]).ended();
      expect([setup.code, setup.out], setup.err).toEqual([0, expect.stringContaining('is set up.')]);
      expect(setup.out + setup.err).not.toContain(product.key);
      expect(setup.out).not.toContain('sk-own');

      const { out, err } = await (isPromptOnStdin
        ? run(binary, args, project, prompt)
        : run(binary, [...args, prompt], project));
      expect(existsSync(join(project, 'made.txt')), out + err).toBe(true);
      expect(readFileSync(join(project, 'made.txt'), 'utf8')).toBe('made-by-it\n');
      await product.settled();
      const rows = product.exchanges.filter(({ client }) => client === name);
      expect(rows.map((row) => row.api)).toContain(api);
      expect(rows.map(({ initiator }) => initiator)).toEqual(expect.arrayContaining(['user', 'agent']));

      const undo = await product.run(['setup', name, '--undo']).ended();
      expect([undo.code, undo.out], undo.err).toEqual([0, expect.stringContaining('entries are gone from')]);
      const after = existsSync(path) ? readFileSync(path, 'utf8') : null;
      if (isWrittenByItself) expect(withoutTime(after)).toEqual(withoutTime(own));
      else expect(after).toBe(own);
    });
  },
);

function withoutTime(text: string | null): unknown {
  return JSON.parse((text ?? 'null').replace(/,\s*"updatedAt":\s*"[^"]*"/, ''));
}

async function run(binary: string, args: string[], project: string, input?: string): Promise<Ended> {
  const isScript = binary.endsWith('.js');
  const { home } = product;
  const started = new Started(isScript ? process.execPath : binary, [...(isScript ? [binary] : []), ...args], {
    cwd: project,
    ...(input !== undefined && { input }),
    withinMs: runPatienceMs,
    env: {
      // By its folder its processes are found.
      JUMPSEAT_HOME: project,
      ...{ PATH: process.env.PATH, HOME: home, CONTINUE_TELEMETRY_ENABLED: '0' },
      // Nobody listens there.
      ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
      no_proxy: '127.0.0.1,localhost',
    },
  });
  try {
    return await started.ended();
  } finally {
    // Cline leaves one for its next runs.
    for (const pid of processesOf(project)) process.kill(pid, 'SIGKILL');
  }
}
