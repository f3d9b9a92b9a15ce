import { useCallback, useEffect, useMemo } from 'react';
import type { NamedPath } from '../../../app/api/session-surroundings.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import type { Attachment } from './draft.ts';

/** What attached paths lead to. One that is not in it is not known. Looked at again when the person comes back. */
export function useNamedPaths(session: string, attachments: readonly Attachment[]): ReadonlyMap<string, NamedPath> {
  const { bridge } = useServices();
  const all = attachments.flatMap((one) => (one.kind === 'path' ? [one.path] : []));
  // The same paths are the same list, however often the draft is another one.
  const key = JSON.stringify([...new Set(all)].slice(0, 200));
  const { asked, again } = useAsked(
    useCallback(async () => {
      const paths: string[] = JSON.parse(key);
      const found = paths.length === 0 ? [] : await bridge.namedPaths({ session, paths });
      return new Map(paths.flatMap((path, index) => (found[index] === undefined ? [] : [[path, found[index]]])));
    }, [bridge, session, key]),
  );
  const hasPaths = key !== '[]';
  useEffect(() => {
    if (!hasPaths) return;
    const look = (): void => void again();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [hasPaths, again]);
  const { last } = asked;
  return useMemo(() => last ?? new Map<string, NamedPath>(), [last]);
}
