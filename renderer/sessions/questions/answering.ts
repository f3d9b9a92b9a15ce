import { useMemo } from 'react';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { agentWords } from '../../../app/words/agents.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import type { Answer } from '../state/actions.ts';
import { useSessionActions } from '../state/hooks.ts';

export type GiveAnswer = (question: SessionQuestion, answer: Answer) => Promise<void>;

/** Gives an answer once, and says so where it came too late. `isGiven`: that question was answered here. */
export function useGiveAnswer(): { give: GiveAnswer; isGiven: (id: string) => boolean } {
  const { store } = useServices();
  const actions = useSessionActions();
  return useMemo(() => {
    const given = new Set<string>();
    const give: GiveAnswer = async ({ sessionId, id }, answer) => {
      if (given.has(id)) return;
      given.add(id);
      const outcome = await actions.answer(sessionId, id, answer);
      if (outcome === 'failed') given.delete(id);
      if (outcome !== 'late') return;
      const agent = store.getState().sessions.get(sessionId)?.agent ?? 'claude';
      toast(store, `Too late. ${agentWords(agent).title} had already gone on.`, { kind: 'told' });
    };
    return { give, isGiven: (id) => given.has(id) };
  }, [actions, store]);
}
