import type { Terminal } from '../../../app/cli/terminal.ts';

/**
 * A terminal that keeps what is written; styled text stands in `<format>…</>` where `looks` is set. Questions get
 * `answer`.
 */
export function paper(
  looks = false,
  answer?: string | null,
): Terminal & { text: string; errors: string; shown: string[] } {
  return {
    text: '',
    errors: '',
    shown: [],
    isTty: looks,
    canAsk: answer !== undefined,
    left: new AbortController().signal,
    out(text) {
      this.text += `${text}\n`;
    },
    err(text) {
      this.errors += `${text}\n`;
    },
    style: (format, text) => (looks ? `<${[format].flat().join(' ')}>${text}</>` : text),
    progress(text) {
      if (text !== null) this.shown.push(text);
    },
    ask: () => (answer === undefined ? Promise.reject(new Error('Nobody is there.')) : Promise.resolve(answer)),
    dontWait() {},
    written: () => Promise.resolve(),
  };
}
