/** What the session does, as far as sending goes. `starting`: also while it waits in line. */
export type Work = 'idle' | 'running' | 'starting' | 'stopping';

/** How a message goes: at once, after this turn, or into it at its next step. */
export type Way = 'send' | 'queue' | 'steer';

export type KeyMeaning =
  | { kind: 'go'; way: Way }
  | { kind: 'stop' }
  | { kind: 'earlier' }
  | { kind: 'later' }
  /** The field does with it what it does with any key. */
  | { kind: 'none' };

export interface Key {
  key: string;
  shiftKey: boolean;
  /** Ctrl, or Cmd on a Mac. */
  isCommand: boolean;
  altKey: boolean;
  /** An input method composes. */
  isComposing: boolean;
}

export interface FieldState {
  work: Work;
  /** There is nothing to send. */
  isBlank: boolean;
  /** The field is empty, or shows an earlier prompt that was not changed. */
  isBrowsing: boolean;
  /** Enter, while a turn runs. */
  enterWhileRunning: 'queue' | 'steer';
}

const nothing: KeyMeaning = { kind: 'none' };

/** What a key in the field means, where no menu is open. */
export function keyMeaning(key: Key, state: FieldState): KeyMeaning {
  if (key.isComposing) return nothing;
  switch (key.key) {
    case 'Enter': {
      if (key.shiftKey || key.altKey) return nothing;
      const way = key.isCommand ? otherWay(state) : enterWay(state);
      return state.isBlank ? nothing : { kind: 'go', way };
    }
    case 'Escape':
      return state.work === 'running' || state.work === 'starting' ? { kind: 'stop' } : nothing;
    case 'ArrowUp':
    case 'ArrowDown':
      if (key.shiftKey || key.altKey || key.isCommand || !state.isBrowsing) return nothing;
      return { kind: key.key === 'ArrowUp' ? 'earlier' : 'later' };
    default:
      return nothing;
  }
}

export function enterWay({ work, enterWhileRunning }: Pick<FieldState, 'work' | 'enterWhileRunning'>): Way {
  if (work === 'idle') return 'send';
  return work === 'running' ? enterWhileRunning : 'queue';
}

function otherWay(state: Pick<FieldState, 'work' | 'enterWhileRunning'>): Way {
  if (state.work !== 'running') return enterWay(state);
  return state.enterWhileRunning === 'queue' ? 'steer' : 'queue';
}

/** The one to show: `back` prompts before the newest; null: none was sent, or it is the field's own text. */
export function earlierPrompt(prompts: readonly string[], back: number): string | null {
  return back <= 0 ? null : (prompts.at(-back) ?? null);
}
