import type { Terminal } from '../../../app/cli/terminal.ts';

/** A terminal that keeps what is written; styled text stands in `<format>…</>` where `looks` is set. */
export function paper(looks = false): Terminal & { text: string; errors: string; shown: string[] } {
  return {
    text: '',
    errors: '',
    shown: [],
    isTty: looks,
    canAsk: false,
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
    ask: () => Promise.reject(new Error('Nobody is there.')),
  };
}
