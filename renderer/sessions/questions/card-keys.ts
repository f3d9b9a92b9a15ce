import { createContext, type RefObject, useContext, useLayoutEffect } from 'react';

/** What keys do while the card has the focus, by `event.key`. */
export type CardKeys = Readonly<Record<string, (() => void) | undefined>>;

export const CardKeysContext = createContext<RefObject<CardKeys> | null>(null);

/** These keys count as long as this is shown. From a field of text the card hands Enter and Esc on alone. */
export function useCardKeys(keys: CardKeys): void {
  const current = useContext(CardKeysContext);
  useLayoutEffect(() => {
    if (current !== null) current.current = keys;
  });
}
