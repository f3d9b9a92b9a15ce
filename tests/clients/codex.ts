import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import type { Reached } from './product.ts';

/** The real Codex, pinned and fetched by `npm test`. */
export const codexBinary = process.env.JUMPSEAT_TEST_CODEX ?? '';

export interface CodexRun {
  code: number | null;
  /** What it said last. */
  text: string;
  errors: string;
}

/** A person with a folder of their own, who has told Codex of the product. */
export interface CodexHome {
  /** Where it works. */
  project: string;
  /** `codex exec`, as a person would start it, with nothing that leads to the outside. */
  run(...args: string[]): Promise<CodexRun>;
}

/**
 * @param more behind what its config.toml holds
 * @param copied the whole config.toml, as a person copied it
 */
export function codexHome(product: Reached, model: string, more = '', copied: string | null = null): CodexHome {
  const home = join(product.home, `codex-${model}`);
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(home, 'config.toml'),
    copied ??
      [
        `model = "${model}"`,
        // What a translated model has no setting for is refused by its name.
        'model_verbosity = "medium"',
        'model_provider = "jumpseat"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.jumpseat]',
        'name = "Jumpseat"',
        `base_url = "${product.baseUrl}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        // A failure is to be seen, not tried again.
        'request_max_retries = 0',
        'stream_max_retries = 0',
        more,
        '',
      ].join('\n'),
  );
  return { project, run: (...args) => runCodex(product, home, project, args) };
}

async function runCodex(product: Reached, home: string, project: string, args: string[]): Promise<CodexRun> {
  // Its sandbox needs rights that not every machine gives; it runs nothing but what a test asks for, in a folder of its
  // own.
  const unattended = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  const codex = new Started(codexBinary, [...unattended, ...args], {
    cwd: project,
    withinMs: runPatienceMs,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CODEX_HOME: home,
      OPENAI_API_KEY: `${product.key}.codex`,
      JUMPSEAT_CODEX_KEY: `${product.key}.codex`,
      // Nobody listens there.
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
    },
  });
  const { code, out, err } = await codex.ended();
  await product.settled();
  return { code, text: out, errors: err };
}
