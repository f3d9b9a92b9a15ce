import { createStore } from 'zustand/vanilla';

/** Whether the list of keys is open. */
export const keysShown = createStore<{ isShown: boolean }>(() => ({ isShown: false }));

export const showKeys = (): void => keysShown.setState({ isShown: true });
