import { createContext, useContext, useEffect, useState } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { useServices } from '../../state/services.ts';

/** The files that the shown question names, as they are on disk; null if unknown. */
export const AskedFilesContext = createContext<readonly AskedFile[] | null>(null);

/** The file that a question names; null if unknown. */
export function useAskedFile(named: string | null): AskedFile | null {
  return useContext(AskedFilesContext)?.find((file) => file.named === named) ?? null;
}

const lookEveryMs = 2_000;

/** Looks again while the question is seen: what an agent asked for may not fit any more. */
export function useAskedFiles({ id, sessionId, kind }: SessionQuestion): readonly AskedFile[] | null {
  const { bridge } = useServices();
  const [found, setFound] = useState<{ question: string; files: readonly AskedFile[] } | null>(null);
  useEffect(() => {
    if (kind !== 'permission') return;
    let isOld = false;
    let version: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      // Without it the question stands as it was asked.
      const now = await bridge.askedFiles({ session: sessionId, question: id, version }).catch(() => null);
      if (isOld) return;
      if (now !== null) {
        version = now.version;
        setFound({ question: id, files: now.files });
      }
      const isWorthIt = document.visibilityState === 'visible' && (version === null || version !== nothing);
      if (isWorthIt) timer = setTimeout(() => void look(), lookEveryMs);
    };
    const lookNow = (): void => void look();
    lookNow();
    window.addEventListener('focus', lookNow);
    return () => {
      isOld = true;
      clearTimeout(timer);
      window.removeEventListener('focus', lookNow);
    };
  }, [bridge, id, sessionId, kind]);
  return found?.question === id ? found.files : null;
}

/** The version of no files. */
const nothing = '[]';

/** Whether something wrote it, or took it away, after the question was asked. */
export function hasChanged({ state, modifiedAt }: AskedFile, askedAt: number, wasThere: boolean): boolean {
  if (state === 'missing') return wasThere;
  // A time that is still to come says nothing.
  return modifiedAt !== null && modifiedAt > askedAt && modifiedAt <= Date.now() + 1_000;
}
