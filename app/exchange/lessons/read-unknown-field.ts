import type { ChatPath } from '../../copilot/catalog.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import { isObject } from '../../formats/wire/json.ts';
import { mayBeLeftOut } from '../fits/unknown-fields.ts';
import type { Lesson } from './lesson.ts';

/**
 * How an unknown field is refused: by Anthropic (`error-400-context_management-extra-inputs`), then by OpenAI's APIs.
 */
const refusals = [
  /([\w.[\]-]+): Extra inputs are not permitted/g,
  /Unknown parameter: ['"`]?([\w.[\]-]+)/gi,
  /Unrecognized request arguments? supplied: ([\w.[\], -]+)/gi,
];

/**
 * The field that a refusal calls unknown, where the body that was sent has it and can do without; null: the client is
 * told. A parameter that is known and "not supported" is another thing.
 */
export function readUnknownField(
  { source, status, message }: CopilotFailure,
  { path, body }: { path: ChatPath; body: Buffer },
): Lesson | null {
  if (source !== 'copilot' || (status !== 400 && status !== 422)) return null;
  const named = refusals.flatMap((words) =>
    Array.from(message.matchAll(words), ([, found = '']) => found.split(/,\s*/)),
  );
  if (named.length === 0) return null;
  const sent: unknown = JSON.parse(body.toString('utf8'));
  for (const place of named.flat()) {
    const name = nameIn(sent, place);
    if (name !== null && mayBeLeftOut(path, name)) return { kind: 'unknown-field', name };
  }
  return null;
}

/**
 * `tools.1.custom.defer_loading`, `tools[1].defer_loading` → `tools.defer_loading`: without places in lists and without
 * the tags of unions, which no body has. Null: it was not sent.
 */
function nameIn(sent: unknown, place: string): string | null {
  const keys = place
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .replace(/\.+$/, '')
    .split('.');
  const names: string[] = [];
  let at = sent;
  for (const [index, key] of keys.entries()) {
    if (Array.isArray(at)) {
      at = at[Number(key)];
      continue;
    }
    if (!isObject(at)) return null;
    if (Object.hasOwn(at, key)) {
      names.push(key);
      at = at[key];
    } else if (names.length === 0 || index === keys.length - 1) return null;
  }
  return names.join('.');
}
