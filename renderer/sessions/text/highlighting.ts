import type { Coloured, Language } from './highlight-languages.ts';

/** To the worker; without a text: its answer is wanted no more. */
export type HighlightRequest = { id: number } | { id: number; text: string; language: Language };

/** `lines`: null where it has no colours. */
export interface HighlightAnswer {
  id: number;
  lines: readonly Coloured[] | null;
}

type Lines = readonly Coloured[] | null;

interface Wanted {
  text: string;
  language: Language;
  signal: AbortSignal;
  give: (lines: Lines) => void;
}

/** The worker, begun with the first code; null once it turned out that there can be none. */
let worker: Worker | null | undefined;
const wanted = new Map<number, Wanted>();
let last = 0;

/** The lines of a code in colours; null: it has none, or nothing wants it any more. */
export function highlighted(text: string, language: Language, signal: AbortSignal): Promise<Lines> {
  worker ??= worker === null ? null : begin();
  if (worker === null) return inWindow(text, language, signal);
  const id = ++last;
  return new Promise((give) => {
    wanted.set(id, { text, language, signal, give });
    tell({ id, text, language });
    signal.addEventListener('abort', () => {
      if (wanted.delete(id)) tell({ id });
      give(null);
    });
  });
}

function tell(request: HighlightRequest): void {
  worker?.postMessage(request);
}

function begin(): Worker | null {
  try {
    const begun = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
    begun.addEventListener('message', ({ data: { id, lines } }: MessageEvent<HighlightAnswer>) => {
      wanted.get(id)?.give(lines);
      wanted.delete(id);
    });
    begun.addEventListener('error', () => lose(begun));
    return begun;
  } catch {
    return null;
  }
}

/** It did not start, or came to an end: what it owes is done here, in slices. */
function lose(lost: Worker): void {
  lost.terminate();
  worker = null;
  for (const [id, { text, language, signal, give }] of wanted) {
    wanted.delete(id);
    void inWindow(text, language, signal).then(give);
  }
}

async function inWindow(text: string, language: Language, signal: AbortSignal): Promise<Lines> {
  try {
    const { highlight } = await import('./highlight.ts');
    return await highlight(text, language, signal);
  } catch {
    // Without colours it can be read as well.
    return null;
  }
}
