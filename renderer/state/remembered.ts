/** Remembers a small wish of the person on this machine; where that is not allowed it lasts as long as the page. */
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
