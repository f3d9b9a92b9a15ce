import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { ClientName } from '../../app/api/setup.ts';
import { processesOf } from '../e2e/processes.ts';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import { codexBinary } from './codex.ts';
import type { Product } from './product.ts';

/** Programs of others as their makers publish them, which the tests set up and run. `npm test` fetches them. */
const programs: Record<string, string> = JSON.parse(process.env.JUMPSEAT_TEST_PROGRAMS ?? '{}');

export interface ClientProgram {
  name: ClientName;
  /** `Codex` */
  title: string;
  /** For its models, and for its tools. */
  files: { models: string; mcp: string };
  /** What a person has in them; a file that isn't here isn't there. */
  own: Readonly<Record<string, string>>;
  binary: string;
  args: string[];
  /** Its own tool that runs a command. */
  runs: string;
  /** Jumpseat's search, under the name that it gives it. */
  searches: string;
  /** It takes the prompt as it stands only there. */
  isPromptOnStdin?: true;
  /** It writes its files anew when it runs, with the time. */
  writesItself?: boolean;
  api: 'messages' | 'chat' | 'responses';
  /** How it is told to use Jumpseat where it keeps the person's own choice. */
  env?: Record<string, string>;
}

const command = 'echo made-by-it | tee made.txt';
const cline = '.cline/data/settings';

const table: (Omit<ClientProgram, 'binary'> & { binary: string | undefined })[] = [
  {
    ...{ name: 'codex', title: 'Codex', api: 'responses', binary: codexBinary },
    files: { models: '.codex/config.toml', mcp: '.codex/config.toml' },
    own: {
      '.codex/config.toml':
        '# mine\r\nmodel = "o3"   # the best\r\ncheck_for_update_on_startup = false\r\n\r\n[analytics]\r\nenabled = false\r\n',
    },
    args: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    runs: `exec_command {"cmd":"${command}"}`,
    searches: 'mcp__jumpseat__web_search',
  },
  {
    ...{ name: 'opencode', title: 'opencode', api: 'messages', binary: programs.opencode },
    files: { models: '.config/opencode/opencode.jsonc', mcp: '.config/opencode/opencode.jsonc' },
    own: {
      '.config/opencode/opencode.jsonc':
        '{\n\t// mine\n\t"$schema": "https://opencode.ai/config.json",\n\t"permission": { "bash": "allow", }, /* end */\n}',
    },
    args: ['run'],
    isPromptOnStdin: true,
    runs: `bash {"command":"${command}","description":"make it"}`,
    searches: 'jumpseat_web_search',
  },
  {
    ...{ name: 'continue', title: 'Continue', api: 'chat', binary: programs.continue },
    files: { models: '.continue/config.yaml', mcp: '.continue/config.yaml' },
    own: {},
    args: ['--auto', '-p'],
    runs: `Bash {"command":"${command}"}`,
    searches: 'web_search',
  },
  {
    ...{ name: 'cline', title: 'Cline', api: 'chat', binary: programs.cline },
    files: { models: `${cline}/providers.json`, mcp: `${cline}/cline_mcp_settings.json` },
    own: {
      [`${cline}/providers.json`]:
        '{ "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": { "openai-compatible": { "settings": { "provider": "openai-compatible", "apiKey": "sk-own", "model": "m", "baseUrl": "http://127.0.0.1:9/v1" }, "updatedAt": "2026-11-27T05:27:07.090Z" } } }',
      [`${cline}/cline_mcp_settings.json`]:
        '{ "mcpServers": { "mine": { "disabled": true, "transport": { "type": "stdio", "command": "none" } } } }\n',
    },
    writesItself: true,
    args: [],
    runs: `run_commands {"commands":["${command}"]}`,
    searches: 'jumpseat__web_search',
  },
  {
    ...{ name: 'goose', title: 'Goose', api: 'messages', binary: programs.goose },
    files: { models: '.config/goose/custom_providers/jumpseat.json', mcp: '.config/goose/config.yaml' },
    own: {
      '.config/goose/config.yaml':
        '# mine\nGOOSE_PROVIDER: other\nextensions:\n    # own\n    todo:\n        enabled: true\n        type: platform\n        name: todo\n        description: todo # end\n\n# last\n',
      '.config/goose/custom_providers/mine.json':
        '{ "name": "mine", "engine": "openai", "display_name": "Mine", "api_key_env": "MINE", "base_url": "http://127.0.0.1:9", "models": [] }',
    },
    env: { GOOSE_PROVIDER: 'jumpseat', GOOSE_MODEL: 'claude-sonnet-4.6' },
    args: ['run', '--text'],
    runs: `shell {"command":"${command}"}`,
    searches: 'jumpseat__web_search',
  },
];

/** Those that there are for this system. */
export const clientPrograms = table.flatMap(({ binary, ...rest }): ClientProgram[] =>
  binary === undefined || binary === '' ? [] : [{ ...rest, binary }],
);

/** The person's files, before a setup. */
export function putOwn({ own }: ClientProgram, home: string): void {
  for (const [file, text] of Object.entries(own)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
}

/** Byte for byte as they were. What a program wrote anew itself says the same, but for the time. */
export function expectOwn({ own, files, writesItself = false }: ClientProgram, home: string): void {
  for (const file of new Set([...Object.keys(own), files.models, files.mcp])) {
    const [before, after] = [own[file] ?? null, textOf(join(home, file))];
    if (writesItself) expect(withoutTime(after)).toEqual(withoutTime(before));
    else expect(after, file).toBe(before);
  }
}

/** What it is asked in one prompt, and that its command ran, and each tool's result went back to the model. */
export async function expectWork(program: ClientProgram, product: Product, ways: ('runs' | 'searches')[]) {
  const { name, args, isPromptOnStdin = false, runs, searches } = program;
  const project = mkdtempSync(join(product.home, `${name}-`));
  const begun = product.exchanges.length;
  const asked = { runs, searches: `${searches} {"query":"node"}` };
  const prompt = ways.map((way) => `use: ${asked[way]}`).join('\n');
  const { out, err } = await (isPromptOnStdin
    ? run(program, product.home, project, args, prompt)
    : run(program, product.home, project, [...args, prompt]));
  if (ways.includes('runs')) expect(textOf(join(project, 'made.txt')), out + err).toBe('made-by-it\n');
  await product.settled();
  const rows = product.exchanges.slice(begun).filter(({ client }) => client === name);
  expect(rows.map(({ api }) => api)).toContain(program.api);
  expect(rows.some(({ api }) => api === 'web')).toBe(ways.includes('searches'));
  const ofTools = rows.filter(({ initiator }) => initiator === 'agent');
  expect(ofTools.length, out + err).toBeGreaterThan(0);
  expect(rows.some(({ initiator }) => initiator === 'user')).toBe(true);
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function withoutTime(text: string | null): unknown {
  return JSON.parse((text ?? 'null').replace(/,\s*"updatedAt":\s*"[^"]*"/, ''));
}

async function run({ binary, env = {} }: ClientProgram, home: string, project: string, args: string[], input?: string) {
  const isScript = binary.endsWith('.js');
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
      ...env,
    },
  });
  try {
    return await started.ended();
  } finally {
    // Cline leaves one for its next runs.
    for (const pid of processesOf(project)) process.kill(pid, 'SIGKILL');
  }
}
