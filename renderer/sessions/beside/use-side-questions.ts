import { useEffect } from 'react';
import type { SideQuestion } from '../../../app/api/sessions.ts';
import { useServices } from '../../state/services.ts';
import { useSessions } from '../state/hooks.ts';
import { sessionsOf } from '../state/sessions-feed.ts';

/** The oldest first; null until they have been read. Kept in step with other windows. */
export function useSideQuestions(session: string): readonly SideQuestion[] | null {
  const { feed } = sessionsOf(useServices());
  useEffect(() => feed.showSideQuestions(session), [feed, session]);
  return useSessions(({ sideQuestions }) => sideQuestions.get(session) ?? null);
}
