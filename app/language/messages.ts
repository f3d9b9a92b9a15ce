declare const inEnglish: unique symbol;

/** A message in English, which is its name in every catalog, too. */
export type Message = string & { readonly [inEnglish]: true };

/**
 * Marks a text of a table as a message, so that the catalogs have it. Nothing is translated here, because the language
 * may change later: `translated` does it where the text is shown.
 */
export function msg<const Text extends string>(text: Text): Text & Message {
  return text as Text & Message;
}
