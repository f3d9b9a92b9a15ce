/** Remembers a small choice of the person on this machine; where that is not allowed it lasts as long as the page. */
export function keep(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Storage can be switched off or full.
  }
}

export function recall(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Names of earlier versions: the theme lies in settings.json by now. */
const oldKeys = ['jumpseat.theme'];

/** Removes what earlier versions stored under names that are no longer used. */
export function forgetOldKeys(): void {
  try {
    for (const key of oldKeys) window.localStorage.removeItem(key);
  } catch {
    // Where storage is switched off nothing is left in it.
  }
}
