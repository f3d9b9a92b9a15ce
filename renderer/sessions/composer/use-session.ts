import { useCallback } from 'react';
import type { Session } from '../../../app/api/sessions.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { useHeld } from '../state/hooks.ts';

/** A session, also one that was made elsewhere; null until it is known. */
export function useSession(id: string): Session | null {
  const { bridge } = useServices();
  const held = useHeld(id);
  const isHeld = held !== null;
  const { asked } = useAsked(useCallback(async () => (isHeld ? null : await bridge.session(id)), [bridge, id, isHeld]));
  return held ?? (asked.last?.id === id ? asked.last : null);
}
