import type { Exchange } from '../../app/api/exchange.ts';
import type {
  CacheMiss,
  ConversationPart,
  ConversationPrompt,
  ConversationSums,
  NamedConversation,
} from '../../app/api/history.ts';
import { asSentence } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { contextInShort } from '../../app/words/context.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { amountIn, cacheMissWords, shownAmounts } from '../../app/words/usage.ts';
import type { Asked } from '../state/asked.ts';

/** One line of the tree. */
export type TreeRow = { id: string; level: 1 | 2 | 3; expanded: boolean | null; parent: string | null } & (
  | { kind: 'session'; conversation: NamedConversation; sums: ConversationSums; amount: number }
  | {
      kind: 'prompt';
      conversation: NamedConversation;
      prompt: ConversationPrompt;
      sums: ConversationSums;
      amount: number;
    }
  | {
      kind: 'part';
      conversation: NamedConversation;
      part: ConversationPart;
      sums: ConversationSums;
      /** As it is shown: parts add up to the row that they are in. */
      amount: number;
      query: string | null;
    }
  | { kind: 'earlier'; prompts: number; reports: number; session: string; sums: null }
  | { kind: 'note'; text: string; session: string; again: boolean; request: string | null; sums: null }
);

/** Prompts of a session that are shown before earlier ones are asked for. */
const promptsAtFirst = 5;

interface TreeState {
  world: World;
  /** Ids of open rows. */
  open: ReadonlySet<string>;
  /** Sessions whose earlier prompts are shown, too. */
  whole: ReadonlySet<string>;
  /** Prompts of the sessions that were opened. */
  prompts: ReadonlyMap<string, Asked<ConversationPrompt[]>>;
  misses?: readonly CacheMiss[];
  /** The last request of the sessions that were opened. */
  last?: ReadonlyMap<string, Exchange>;
}

export function sessionId({ client, session }: Pick<NamedConversation, 'client' | 'session'>): string {
  return JSON.stringify([client, session]);
}

/** The rows in sight, from top to bottom. */
export function treeRows(conversations: readonly NamedConversation[], state: TreeState): TreeRow[] {
  const rows: TreeRow[] = [];
  for (const conversation of conversations) {
    const id = sessionId(conversation);
    const expanded = state.open.has(id);
    const sums = conversation;
    const amount = amountIn(state.world, sums);
    rows.push({ kind: 'session', id, level: 1, parent: null, expanded, conversation, sums, amount });
    if (expanded) rows.push(...insideOf(conversation, id, state));
  }
  return rows;
}

function insideOf(conversation: NamedConversation, session: string, state: TreeState): TreeRow[] {
  const asked = state.prompts.get(session);
  const note = (text: string, again: boolean, id = 'note', request: string | null = null): TreeRow[] => [
    {
      kind: 'note',
      id: `${session} ${id}`,
      level: 2,
      parent: session,
      expanded: null,
      session,
      text,
      again,
      request,
      sums: null,
    },
  ];
  if (asked === undefined || asked.kind === 'loading') return note(t('Reading…'), false);
  if (asked.last === null) return note(asked.kind === 'failed' ? asked.text : '', true);
  const prompts = asked.last;
  const shown = state.whole.has(session) ? prompts : prompts.slice(0, promptsAtFirst);
  const missed = state.misses?.filter((one) => sessionId(one) === session) ?? [];
  const last = state.last?.get(session);
  const amounts = shownAmounts(state.world, prompts);
  const context = last === undefined ? null : contextInShort(last);
  const rows = [
    ...(context === null ? [] : note(asSentence(context), false, 'context', last?.id)),
    ...(missed.length === 0 ? [] : note(asSentence(cacheMissWords(missed)), false, 'misses')),
    ...shown.flatMap((prompt, at) => promptRows(conversation, prompt, amounts[at] ?? 0, session, state)),
  ];
  const earlier = prompts.slice(shown.length);
  if (earlier.length > 0) {
    const reports = earlier.filter(({ isReport }) => isReport).length;
    rows.push({
      kind: 'earlier',
      id: `${session} earlier`,
      level: 2,
      parent: session,
      expanded: false,
      prompts: earlier.length - reports,
      reports,
      session,
      sums: null,
    });
  }
  return rows;
}

function promptRows(
  conversation: NamedConversation,
  prompt: ConversationPrompt,
  amount: number,
  session: string,
  state: TreeState,
): TreeRow[] {
  const id = `${session} ${prompt.prompt}`;
  const expanded = state.open.has(id);
  const rows: TreeRow[] = [
    { kind: 'prompt', id, level: 2, parent: session, expanded, conversation, prompt, sums: prompt, amount },
  ];
  if (!expanded) return rows;
  const amounts = shownAmounts(state.world, prompt.parts, amount);
  for (const [at, part] of prompt.parts.entries()) {
    rows.push({
      kind: 'part',
      id: `${id} ${part.kind} ${part.agentId}`,
      level: 3,
      parent: id,
      expanded: null,
      conversation,
      part,
      query: prompt.prompt === null ? null : `${promptQuery(prompt.prompt)}${partQuery(part)}`,
      sums: part,
      amount: amounts[at] ?? 0,
    });
  }
  return rows;
}

/** Where the requests of this row are shown; null if there is no word for them. */
export function rowRoute(row: TreeRow): { part: string } | { query: string } | null {
  switch (row.kind) {
    case 'session':
      return row.conversation.session === null ? null : { query: `session:${word(row.conversation.session)}` };
    case 'prompt':
      return row.prompt.prompt === null ? null : { query: promptQuery(row.prompt.prompt) };
    case 'part':
      return row.query === null ? null : { query: row.query };
    case 'note':
      return row.request === null ? null : { part: row.request };
    case 'earlier':
      return null;
  }
}

function promptQuery(prompt: string): string {
  return `prompt:${word(prompt)}`;
}

function partQuery({ kind, agentType }: ConversationPart): string {
  if (kind === 'subagent') return agentType === null ? ' reason:subagent' : ` agent:${word(agentType)}`;
  return kind === 'compaction' ? ' reason:compaction' : '';
}

function word(text: string): string {
  return /[\s,"]/.test(text) ? `"${text.replaceAll('"', '')}"` : text;
}

/** `Subagent Explore`, `Workflow`, `Compaction`, `Titles and auxiliary`, `Main` */
export function partName({ kind, agentType, workflow }: ConversationPart): string {
  switch (kind) {
    case 'main':
      return t('Main');
    case 'compaction':
      return t('Compaction');
    case 'side':
      return t('Titles and auxiliary');
    case 'subagent':
      if (agentType === null) return workflow ? t('Workflow') : t('Subagent');
      return workflow ? t('Workflow {agentType}', { agentType }) : t('Subagent {agentType}', { agentType });
  }
}
