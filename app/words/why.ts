import type { Exchange } from '../api/exchange.ts';
import { inShownLanguage } from '../language/remembered.ts';
import { t } from '../language/translate.ts';
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
  return known === undefined
    ? { title: capital(inShownLanguage(reason.sentence)), sentence: '' }
    : known(exchange, reason.sentence);
}

/** Claude Code was there and sent no marks: the lines for it are not the newest. */
export function marksAreOff({ client, requestClass, api }: Pick<Exchange, 'client' | 'requestClass' | 'api'>): boolean {
  return client.startsWith('claude-code') && api === 'messages' && requestClass === null;
}

const whys: Record<string, (exchange: InitiatorFacts, sentence: string) => Why> = {
  'main-new-prompt': ({ prompt }) => ({
    title: t('First request of a new prompt'),
    sentence: t(
      'Claude Code marked it main, {id, select, none {this prompt} other {prompt {id}}} was not seen before, and the last message has text you typed.',
      { id: idOf(prompt) },
    ),
  }),
  'main-seen-prompt': ({ prompt }, sentence) => ({
    title: toolsTitle(sentence),
    sentence: t(
      'Claude Code marked it main; {id, select, none {this prompt} other {prompt {id}}} was already counted.',
      { id: idOf(prompt) },
    ),
  }),
  'main-interjection': () => ({
    title: t('You wrote while tools ran'),
    sentence: t('The last message has tool results and text you typed.'),
  }),
  'main-notification': () => ({
    title: t('Notification, not typed by you'),
    sentence: t('The last message holds only a notification that Claude Code wrote.'),
  }),
  'class-subagent': ({ agentType, prompt }) => ({
    title: agentType === null ? t('Subagent') : t('Subagent {agentType}', { agentType }),
    sentence:
      prompt === null
        ? t('Claude Code marked it subagent.')
        : t('Claude Code marked it subagent, started by prompt {id}.', { id: idOf(prompt) }),
  }),
  'class-workflow': () => ({ title: t('Workflow'), sentence: t('Claude Code marked it workflow.') }),
  'class-compaction': (_, sentence) => ({
    title: compactionTitle(sentence),
    sentence: t('Claude Code marked it compaction.'),
  }),
  'class-auxiliary': ({ requestClass }, sentence) => ({
    title:
      sentence === 'auxiliary' ? t('Auxiliary') : t('Auxiliary: {sentence}', { sentence: inShownLanguage(sentence) }),
    sentence:
      requestClass === null
        ? t('Claude Code didn’t mark it; its body is that of a request that Claude Code makes itself.')
        : t('Claude Code marked it {requestClass}.', { requestClass }),
  }),
  'class-side-reply': () => ({ title: t('Side reply'), sentence: t('Claude Code marked it side_reply.') }),
  'web-run': (_, sentence) => ({
    title: capital(inShownLanguage(sentence)),
    sentence: t('Codex ran its own search tool, which an answer of this client’s model called before.'),
  }),
  'search-results': (_, sentence) => ({
    title: capital(inShownLanguage(sentence)),
    sentence: t('Jumpseat made a web search that the model asked for, within the answer to a prompt that was counted.'),
  }),
  'own-request': (_, sentence) => ({
    title: capital(inShownLanguage(sentence)),
    sentence: t('Jumpseat asked for a client whose prompt was counted already.'),
  }),
  'own-prompt': (_, sentence) => ({
    title: capital(inShownLanguage(sentence)),
    sentence: t('Jumpseat asked, and Copilot has counted no prompt for it before.'),
  }),
  resume: () => ({
    title: t('Resume after a cut stream'),
    sentence: t('Claude Code asked to go on where the stream was cut.'),
  }),
  'body-user': () => ({
    title: t('Text typed by you'),
    sentence: t('The client didn’t mark it. The last user message has text that isn’t a reminder.'),
  }),
  'body-agent': (_, sentence) => ({
    title: toolsTitle(sentence),
    sentence: t('The client didn’t mark it. The last user message has only tool results.'),
  }),
  unsure: () => ({
    title: t('Not sure, so counted as user'),
    sentence: t('The last message doesn’t show who asked. When in doubt, Jumpseat counts the request as yours.'),
  }),
  'side-question': ({ requestClass }) => ({
    title: t('Side question you typed'),
    sentence: t('Claude Code marked it {requestClass}, and it holds a question of yours.', {
      requestClass: requestClass ?? 'auxiliary',
    }),
  }),
  scheduled: () => ({
    title: t('Scheduled prompt'),
    sentence: t('Nobody typed it now; you set it up. Counted as yours.'),
  }),
  repeat: () => ({
    title: t('Repeat of an accepted prompt'),
    sentence: t('Copilot had accepted the same words; Claude Code sent them again itself.'),
  }),
  attempt: (_, sentence) => ({
    title: t('Another attempt of this prompt'),
    sentence: t('{sentence}. No attempt before it was accepted, so it still counts as yours.', {
      sentence: capital(inShownLanguage(sentence)),
    }),
  }),
  hook: () => ({
    title: t('Stop hook'),
    sentence: t('A hook of yours sent Claude Code on. Counted as yours, as VS Code counts it.'),
  }),
  'structured-output': () => ({
    title: t('Asked again for its answer'),
    sentence: t('Claude Code asks again for the structured answer; your prompt was already counted.'),
  }),
  continuation: () => ({
    title: t('Continued after compaction'),
    sentence: t('Claude Code goes on from its own summary.'),
  }),
  'token-count': () => ({
    title: t('Token counting'),
    sentence: t('The client asked how long a text is. Nothing was generated.'),
  }),
  'openai-user': ({ client }) => ({
    title: t('Last message is from the user'),
    sentence: t('{client} sent it through the OpenAI route.', { client }),
  }),
  'openai-agent': ({ client }) => ({
    title: t('Last message is from a tool'),
    sentence: t('{client} sent it through the OpenAI route.', { client }),
  }),
};

/** What the list shows of a prompt; `none` where the client names none. */
function idOf(prompt: string | null): string {
  return prompt?.slice(0, 4) ?? 'none';
}

/** `Tool results: Read, Bash` for `results of Read, Bash` */
function toolsTitle(sentence: string): string {
  const tools = toolsIn(sentence);
  return tools === '' ? t('Tool results') : t('Tool results: {tools}', { tools });
}

function compactionTitle(sentence: string): string {
  const how = compactionIn(sentence);
  const words: Record<string, string> = { auto: t('automatic'), manual: t('by you'), reactive: t('after an error') };
  return how === null ? t('Compaction') : t('Compaction: {how}', { how: words[how] ?? how });
}
