import { useCallback } from 'react';
import { agentWords } from '../../app/words/agents.ts';
import { copyText } from '../state/copy-text.ts';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import { agentOf, type ListRow } from './list/list-rows.ts';
import type { Conversation } from './state/conversation.ts';
import { sessionsOf } from './state/sessions-feed.ts';
import { conversationMarkdown } from './transcript/conversation-markdown.ts';

/** More pages no conversation has. */
const mostPages = 10_000;

/** Copies an open conversation, from its first turn on, as Markdown. */
export function useCopyConversation(): (
  row: Pick<ListRow, 'id' | 'title' | 'folder' | 'held' | 'listed'>,
) => Promise<void> {
  const services = useServices();
  return useCallback(
    async (row) => {
      const { id, title, folder } = row;
      const { store, feed } = sessionsOf(services);
      const now = (): Conversation | null => store.getState().conversations.get(id)?.conversation ?? null;
      for (let page = 0; page < mostPages && now()?.hasOlder === true; page += 1) {
        const before = now()?.turns.length;
        await feed.conversations.loadOlder(id).catch(() => undefined);
        if (now()?.turns.length === before) break;
      }
      const whole = now();
      if (whole === null || whole.hasOlder) {
        toast(services.store, 'The conversation couldn’t be read to its beginning. Try again.', { kind: 'failed' });
        return;
      }
      const about = { title, folder, agent: agentWords(agentOf(row)) };
      await copyText(services.store, conversationMarkdown(about, whole), 'Conversation copied');
    },
    [services],
  );
}
