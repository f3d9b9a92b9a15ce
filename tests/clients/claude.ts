import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import type { Reached } from './product.ts';

export interface ClaudeRun {
  code: number | null;
  text: string;
  errors: string;
}

/** The real Claude Code, pinned and fetched by `npm test`. */
export const claudeBinary = process.env.JUMPSEAT_TEST_CLAUDE ?? '';

/** The product's own lines, in a home of its own, and with nothing that leads to the outside. */
export function claudeVariables(product: Reached): Record<string, string> {
  return {
    HOME: product.home,
    ANTHROPIC_BASE_URL: product.baseUrl,
    ANTHROPIC_AUTH_TOKEN: `${product.key}.claude-code`,
    ANTHROPIC_API_KEY: '',
    CLAUDE_CODE_GATEWAY_HINT_HEADERS: '1',
    CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    ANTHROPIC_DEFAULT_OPUS_MODEL: 'claude-opus-4.8',
    ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4.6',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4.5',
  };
}

/**
 * Runs `claude -p` as a person would after pasting the lines: with the product's own variables, in an empty folder,
 * with a home of its own, and with nothing that leads to the outside.
 */
export async function runClaude(
  product: Reached,
  prompt: string,
  options: { model?: string; env?: Record<string, string>; args?: string[] } = {},
): Promise<ClaudeRun> {
  const project = join(product.home, 'project');
  mkdirSync(project, { recursive: true });
  const args = [
    '-p',
    prompt,
    '--allowedTools',
    'Bash,Agent,Read',
    ...(options.model === undefined ? [] : ['--model', options.model]),
    ...(options.args ?? []),
  ];
  const claude = new Started(claudeBinary, args, {
    cwd: project,
    withinMs: runPatienceMs,
    env: {
      PATH: process.env.PATH,
      ...claudeVariables(product),
      ...options.env,
    },
  });
  const { code, out, err } = await claude.ended();
  await product.settled();
  return { code, text: out, errors: err };
}
