import { Fragment } from 'react';

const address = /(?:\d{1,3}\.){3}\d{1,3}:\d+|(?:[\w-]+\.)+(?:com|net|org|io)(?::\d+)?(?:\/[\w/-]*)?/;
const path = /~[\\/][\w.\\/-]+/;
const variable = /\b[A-Z]+(?:_[A-Z]+)+\b/;
const model = /\bclaude-[\w.-]*\w/;
const codeLike = new RegExp(`(${[address, path, variable, model].map(({ source }) => source).join('|')})`, 'g');

/** A sentence with its addresses, paths and names set as code. */
export function Finding({ text }: { text: string }) {
  return text.split(codeLike).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move.
      <code key={index}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
