import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { richParts } from '../../app/language/translate.ts';

/** What is put into the message; a tag is given what is inside of it. */
type Values = Readonly<Record<string, string | number | ReactElement | ((inside: ReactElement) => ReactElement)>>;

/**
 * A message with elements inside: `rich('Press <kbd>{key}</kbd>', { key, kbd: (inside) => <kbd>{inside}</kbd> })`. The
 * message is written out, as for `t`.
 */
export function rich(message: string, values: Values, context?: string): ReactElement {
  const made = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (parts: readonly ReactNode[]) => value(fragment(parts)) : value,
  ]);
  return fragment(richParts<ReactElement>(message, Object.fromEntries(made), context));
}

/** Parts whose order never changes need no keys. */
function fragment(parts: readonly ReactNode[]): ReactElement {
  return createElement(Fragment, null, ...parts);
}
