import type { Session } from '../api/sessions.ts';
import { type Message, msg } from '../language/messages.ts';
import { translated } from '../language/translate.ts';
import { capital } from './text.ts';

/** What an agent is called. */
export interface AgentWords {
  /** The program. */
  title: string;
  /** Name of the agent in sentences. */
  name: string;
  /** What it reads about a folder when it begins there. */
  memory: string;
}

const words: Readonly<Record<Session['agent'], AgentWords>> = {
  claude: { title: 'Claude Code', name: 'Claude', memory: 'CLAUDE.md' },
  codex: { title: 'Codex', name: 'Codex', memory: 'AGENTS.md' },
};

/** @param agent by its name; one that is not known is a session of Claude Code’s own files */
export function agentWords(agent: string): AgentWords {
  return agent === 'codex' ? words.codex : words.claude;
}

const efforts: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['none', msg('None')],
  ['minimal', msg('Minimal')],
  ['low', msg('Low')],
  ['medium', msg('Medium')],
  ['high', msg('High')],
  ['xhigh', msg('Extra high')],
  ['max', msg('Max')],
]);

/** `High` for `high`; a word that is not known is shown with a capital. */
export function effortWords(effort: string): string {
  const known = efforts.get(effort);
  return known === undefined ? capital(effort) : translated(known);
}
