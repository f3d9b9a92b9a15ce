import type { Exchange } from '../api/exchange.ts';
import { capital } from './text.ts';

/**
 * Sentences of verdicts that name something, and what they name: a row of the log keeps the sentence alone, so what
 * writes it and what reads it stand together.
 */

const results = 'results of ';

/** @param tools `Read, Bash`; empty where their names aren't known */
export function resultsSentence(tools: string): string {
  return `${results}${tools === '' ? 'tools' : tools}`;
}

/** `Read, Bash`; empty where the sentence names none. */
export function toolsIn(sentence: string): string {
  const tools = sentence.startsWith(results) ? sentence.slice(results.length) : '';
  return tools === 'tools' ? '' : tools;
}

/** @param how `auto`, `manual`; null if Claude Code doesn't say */
export function compactionSentence(how: string | null): string {
  return how === null ? 'compaction' : `compaction (${how})`;
}

/** `auto`, `manual`; null if the sentence doesn't say. */
export function compactionIn(sentence: string): string | null {
  return /\((.+)\)$/.exec(sentence)?.[1] ?? null;
}

/** Why a request was the person's or the agent's: one line in bold, one sentence. */
interface Why {
  title: string;
  sentence: string;
}

type InitiatorFacts = Pick<Exchange, 'reason' | 'client' | 'requestClass' | 'prompt' | 'agentType'>;

/** Null if nothing was decided: the request was refused before, or its kind has no initiator. */
export function why(exchange: InitiatorFacts): Why | null {
  const { reason } = exchange;
  if (reason === null) return null;
  const known = whys[reason.rule];
  return known === undefined ? { title: capital(reason.sentence), sentence: '' } : known(exchange, reason.sentence);
}

/** Claude Code was there and sent no marks: the lines for it are not the newest. */
export function marksAreOff({ client, requestClass, api }: Pick<Exchange, 'client' | 'requestClass' | 'api'>): boolean {
  return client.startsWith('claude-code') && api === 'messages' && requestClass === null;
}

const whys: Record<string, (exchange: InitiatorFacts, sentence: string) => Why> = {
  'main-new-prompt': ({ prompt }) => ({
    title: 'First request of a new prompt',
    sentence: `Claude Code marked it main, ${named(prompt)} was not seen before, and the last message has text you typed.`,
  }),
  'main-seen-prompt': ({ prompt }, sentence) => ({
    title: toolsTitle(sentence),
    sentence: `Claude Code marked it main; ${named(prompt)} was already counted.`,
  }),
  'main-interjection': () => ({
    title: 'You wrote while tools ran',
    sentence: 'The last message has tool results and text you typed.',
  }),
  'main-notification': () => ({
    title: 'Notification, not typed by you',
    sentence: 'The last message holds only a notification that Claude Code wrote.',
  }),
  'class-subagent': ({ agentType, prompt }) => ({
    title: agentType === null ? 'Subagent' : `Subagent ${agentType}`,
    sentence: `Claude Code marked it subagent${prompt === null ? '' : `, started by ${named(prompt)}`}.`,
  }),
  'class-workflow': () => ({ title: 'Workflow', sentence: 'Claude Code marked it workflow.' }),
  'class-compaction': (_, sentence) => ({
    title: compactionTitle(sentence),
    sentence: 'Claude Code marked it compaction.',
  }),
  'class-auxiliary': ({ requestClass }, sentence) => ({
    title: sentence === 'auxiliary' ? 'Auxiliary' : `Auxiliary: ${sentence}`,
    sentence:
      requestClass === null
        ? 'Claude Code didn’t mark it; its body is that of a request that Claude Code makes itself.'
        : `Claude Code marked it ${requestClass}.`,
  }),
  'class-side-reply': () => ({ title: 'Side reply', sentence: 'Claude Code marked it side_reply.' }),
  'web-run': (_, sentence) => ({
    title: capital(sentence),
    sentence: 'Codex ran its own search tool, which an answer of this client’s model called before.',
  }),
  'search-results': (_, sentence) => ({
    title: capital(sentence),
    sentence: 'Jumpseat made a web search that the model asked for, within the answer to a prompt that was counted.',
  }),
  'own-request': (_, sentence) => ({
    title: capital(sentence),
    sentence: 'Jumpseat asked for a client whose prompt was counted already.',
  }),
  'own-prompt': (_, sentence) => ({
    title: capital(sentence),
    sentence: 'Jumpseat asked, and Copilot has counted no prompt for it before.',
  }),
  resume: () => ({
    title: 'Resume after a cut stream',
    sentence: 'Claude Code asked to go on where the stream was cut.',
  }),
  'body-user': () => ({
    title: 'Text typed by you',
    sentence: 'The client didn’t mark it. The last user message has text that isn’t a reminder.',
  }),
  'body-agent': (_, sentence) => ({
    title: toolsTitle(sentence),
    sentence: 'The client didn’t mark it. The last user message has only tool results.',
  }),
  unsure: () => ({
    title: 'Not sure, so counted as user',
    sentence: 'The last message doesn’t show who asked. When in doubt, Jumpseat counts the request as yours.',
  }),
  'side-question': ({ requestClass }) => ({
    title: 'Side question you typed',
    sentence: `Claude Code marked it ${requestClass ?? 'auxiliary'}, and it holds a question of yours.`,
  }),
  scheduled: () => ({
    title: 'Scheduled prompt',
    sentence: 'Nobody typed it now; you set it up. Counted as yours.',
  }),
  repeat: () => ({
    title: 'Repeat of an accepted prompt',
    sentence: 'Copilot had accepted the same words; Claude Code sent them again itself.',
  }),
  attempt: (_, sentence) => ({
    title: 'Another attempt of this prompt',
    sentence: `${capital(sentence)}, so nothing was counted yet.`,
  }),
  hook: () => ({
    title: 'Stop hook',
    sentence: 'A hook of yours sent Claude Code on. Counted as yours, as VS Code counts it.',
  }),
  'structured-output': () => ({
    title: 'Asked again for its answer',
    sentence: 'Claude Code asks again for the structured answer; your prompt was already counted.',
  }),
  continuation: () => ({
    title: 'Continued after compaction',
    sentence: 'Claude Code goes on from its own summary.',
  }),
  'token-count': () => ({
    title: 'Token counting',
    sentence: 'The client asked how long a text is. Nothing was generated.',
  }),
  'openai-user': ({ client }) => ({
    title: 'Last message is from the user',
    sentence: `${client} sent it through the OpenAI route.`,
  }),
  'openai-agent': ({ client }) => ({
    title: 'Last message is from a tool',
    sentence: `${client} sent it through the OpenAI route.`,
  }),
};

function named(prompt: string | null): string {
  return prompt === null ? 'this prompt' : `prompt ${prompt.slice(0, 4)}`;
}

/** `Tool results: Read, Bash` for `results of Read, Bash` */
function toolsTitle(sentence: string): string {
  const tools = toolsIn(sentence);
  return tools === '' ? 'Tool results' : `Tool results: ${tools}`;
}

function compactionTitle(sentence: string): string {
  const how = compactionIn(sentence);
  const words: Record<string, string> = { auto: 'automatic', manual: 'by you', reactive: 'after an error' };
  return how === null ? 'Compaction' : `Compaction: ${words[how] ?? how}`;
}
