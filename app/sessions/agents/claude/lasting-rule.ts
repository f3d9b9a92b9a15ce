import type { RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import { isObject } from '../../../formats/wire/json.ts';
import type { LastingRule } from '../agent-facts.ts';

/** The adapter's options with which Claude Code allows the like from then on. */
const lasting: ReadonlySet<string> = new Set(['allow-with-updates', 'allow-skill-exact', 'allow-skill-prefix']);

/** Their option leads to another permission mode of the session, and writes nothing. */
const changesMode: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** Claude Code would allow a part of what these do: a folder, a host, a skill. A rule of ours allows all of it. */
const allowsLess: ReadonlySet<string> = new Set([
  ...['Read', 'Glob', 'Grep', 'WebFetch', 'Skill', 'SandboxNetworkAccess'],
]);

/** Of a command with other characters a rule covers no more than the command itself. */
const plainCommand = /^[\w ./:=@%+,~-]+$/;

/**
 * Claude Code writes most of what is allowed by a lasting option into `.claude/settings.local.json` of the folder,
 * also of an untrusted one, where it outlives the session. In its place stands a rule that allows no more.
 */
export function lastingRule({ toolCall, _meta }: RequestPermissionRequest, optionId: string): LastingRule {
  const { name: tool, rawInput } = toolCall;
  if (!lasting.has(optionId)) return null;
  if (typeof tool !== 'string' || allowsLess.has(tool)) return 'none';
  if (changesMode.has(tool)) return null;
  const input = isObject(rawInput) ? rawInput : {};
  if (typeof input.command !== 'string') return { tool, input: null, isExact: false };
  // Who allowed commands in the sandbox did not allow this one outside of it.
  if (input.dangerouslyDisableSandbox === true) return 'none';
  const begins = beginningOf(tool, _meta?.jumpseat);
  const isCovered = begins !== null && `${input.command} `.startsWith(`${begins} `) && plainCommand.test(input.command);
  return isCovered ? { tool, input: begins, isExact: false } : { tool, input: input.command, isExact: true };
}

/** What Claude Code would allow with any arguments, where that is one thing: `npm view` of `Bash(npm view *)`. */
function beginningOf(tool: string, told: unknown): string | null {
  const rules: unknown = isObject(told) ? told.rules : null;
  const [rule, ...others]: unknown[] = Array.isArray(rules) ? rules : [];
  if (typeof rule !== 'string' || others.length > 0 || !rule.startsWith(`${tool}(`)) return null;
  // Longer than a choice can show it is no beginning to agree to.
  return /^\((.{1,80}?)(?::\*| \*)\)$/.exec(rule.slice(tool.length))?.[1] ?? null;
}
