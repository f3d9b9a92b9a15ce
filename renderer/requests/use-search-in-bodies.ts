import { useEffect } from 'react';
import { readTerms } from '../state/log/filter/language.ts';
import { useApp, useServices } from '../state/services.ts';

/** So long nothing is asked while a person types. */
const restMs = 200;

/** Words without a key are searched in what was said, too, as far as that is held. */
export function useSearchInBodies(query: string): void {
  const { bridge, log } = useServices();
  const { exchanges, bytes } = useApp().recording;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is held has changed.
  useEffect(() => {
    let left = false;
    const search = async (): Promise<void> => {
      const said = new Map<string, ReadonlySet<string>>();
      if (exchanges > 0) {
        for (const words of freeWords(query)) said.set(words, new Set(await bridge.searchBodies(words)));
      }
      if (!left) log.knowSaid(said);
    };
    const timer = setTimeout(() => void search().catch(() => undefined), restMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [bridge, log, query, exchanges, bytes]);
}

function freeWords(query: string): string[] {
  const words = readTerms(query).flatMap(({ key, values }) => (key === null ? values.slice(0, 1) : []));
  return words.filter((word) => word !== '').map((word) => word.slice(0, 500));
}
