import { isDeepStrictEqual } from 'node:util';
import { applyPatch, structuredPatch } from 'diff';
import type { Client, ClientUse } from '../api/setup.ts';
import { t } from '../language/translate.ts';
import { type FileRecord, hashOf } from './client-record.ts';
import { isSameBut, parseDocumentText, pathName, type Step, valueAt, withEdit, withoutEmptied } from './document.ts';
import { autoClientModel, type ClientFile, type ClientModel, type Door, type Entry, type Given } from './program.ts';

export type UseState = Pick<Client['uses'][number], 'state' | 'by' | 'trouble'>;

/** A program’s file, and what Jumpseat would write there today. */
interface Seen {
  use: ClientUse;
  /** `~/.codex/config.toml` */
  shown: string;
  /** The parsed content of the file. */
  now: unknown;
  /** What would be written there today; of the models only the form counts. */
  entries: readonly Entry[];
  door: Pick<Door, 'baseUrl' | 'label'>;
  /** Without its label; null where it isn't known. */
  key: string | null;
  /** True for a further key that opens to this program, too. */
  isFurtherKey(key: string): boolean;
  known: FileRecord | null;
}

type Path = readonly Step[];

/** Stands for the models of the account where only the places of entries count. */
const anyModel: ClientModel = { ...autoClientModel, limits: { promptTokens: 1, outputTokens: 1 } };

/** The entries of a file, for their places. */
export function placesOf(file: ClientFile, given: Omit<Given, 'models'>): Entry[] {
  return file.entries({ ...given, models: [anyModel] });
}

/** Whether a program reaches Jumpseat by its file, as far as can be seen, and who made it do so. */
export function stateOf(seen: Seen): UseState {
  const { use, now, known } = seen;
  const recorded = known?.entries.filter((one) => one.use === use) ?? [];
  const by = recorded.length > 0 ? 'jumpseat' : 'hand';
  const places = by === 'jumpseat' ? recorded.map(({ at }) => at) : placesByName(seen);
  if (places.length === 0) return { state: 'not-set-up', by: null, trouble: null };
  const trouble = troubleAt(seen, places, by);
  if (trouble !== null) return { by, ...trouble };
  const isChanged = recorded.some((one) => !isOurs(known, now, one));
  return { state: isChanged ? 'changed' : 'set-up', by, trouble: null };
}

/** The state of a use whose files belong together. */
export function stateOfAll(found: readonly UseState[]): UseState {
  const written = found.filter(({ by }) => by !== null);
  const by = (written.find((one) => one.by === 'jumpseat') ?? written[0])?.by ?? null;
  const troubled = found.filter(({ trouble }) => trouble !== null);
  const wrong = troubled.find((one) => one.by === by) ?? troubled[0];
  if (wrong !== undefined) return { ...wrong, by };
  const state = written.some((one) => one.state === 'changed') ? 'changed' : 'set-up';
  return { state: written.length === 0 ? 'not-set-up' : state, by, trouble: null };
}

/** What is set up has no effect where an organization's file wins. */
export function underPolicy(found: UseState, policy: string | null): UseState {
  if (policy === null || found.by === null || found.trouble !== null) return found;
  return {
    ...found,
    state: 'elsewhere',
    trouble: t('Your organization’s {file} wins over what is set up.', { file: policy }),
  };
}

/** Where entries stand that bear our name or lead here, though no record says that they are ours. */
export function placesByName({ now, entries, door, key }: Pick<Seen, 'now' | 'entries' | 'door' | 'key'>): Path[] {
  return entries.flatMap(({ at, value: ours, leads }) =>
    alike(now, at).filter((place) => {
      const value = valueAt(now, place);
      if (value === undefined) return false;
      if (leads === 'name' && value === ours) return true;
      return bearsName(place) || stringsIn(value).some((text) => leadsHere(text, door, key));
    }),
  );
}

/** The names of what else such a setup writes: it may be a person's. */
export function doubtfulNames(seen: Pick<Seen, 'now' | 'entries' | 'door' | 'key'>): string[] {
  const certain = placesByName(seen);
  const rest = seen.entries.filter(
    ({ at, value, isDefault, leads }) =>
      !isDefault &&
      (leads === undefined ? valueAt(seen.now, at) !== undefined : valueAt(seen.now, at) === value) &&
      !certain.some((one) => isSame(one, at)),
  );
  return rest.map(({ at }) => pathName(at));
}

/** Why the program doesn't reach Jumpseat; null if nothing is known to be wrong. */
function troubleAt(
  { now, entries, door, key, isFurtherKey, known, shown }: Seen,
  places: readonly Path[],
  by: 'jumpseat' | 'hand',
): { state: 'elsewhere' | 'changed'; trouble: string } | null {
  const leading = places.filter((at) => isLeading(at, entries, door));
  const here = leading.filter((at) => valueAt(now, at) !== undefined);
  const inLists = leading.filter((at) => typeof at.at(-1) === 'object');
  // Of a list of models a person may have taken out some.
  const isListGone = inLists.length > 0 && inLists.every((at) => !here.includes(at));
  const gone = leading.find((at) => !here.includes(at) && (typeof at.at(-1) === 'string' || isListGone));
  if (gone !== undefined)
    return { state: 'changed', trouble: t('{key} is gone from {file}.', { key: pathName(gone), file: shown }) };
  for (const at of here) {
    const address = stringsIn(valueAt(now, at)).find((text) => isAddress(text) && !isOfDoor(text, door));
    if (address !== undefined)
      return {
        state: 'elsewhere',
        trouble: t('{key} in {file} leads to {address}, and Jumpseat is at {own}.', {
          key: pathName(at),
          file: shown,
          address: originOf(address),
          own: door.baseUrl,
        }),
      };
  }
  const replaced = here.find((at) => {
    const value = valueAt(now, at);
    const written = known?.entries.find((one) => isSame(one.at, at));
    if (by === 'hand' || written === undefined || typeof value !== 'string') return false;
    return !isOurs(known, now, written) && !leadsHere(value, door, key);
  });
  if (replaced !== undefined)
    return {
      state: 'changed',
      trouble: t('{key} in {file} was changed since it was set up.', { key: pathName(replaced), file: shown }),
    };
  if (key === null || !holdsKey(entries, door)) return null;
  const texts = here.map((at) => ({ at, texts: stringsIn(valueAt(now, at)) }));
  if (texts.some((one) => one.texts.some((text) => text.includes(key) || isFurtherKey(keyIn(text))))) return null;
  const other = texts.find((one) => one.texts.some((text) => text.endsWith(`.${door.label}`)))?.at;
  const at = other ?? (by === 'jumpseat' ? here.at(-1) : undefined);
  if (at === undefined) return null;
  const trouble = t('{key} in {file} doesn’t have the key that Jumpseat asks for.', { key: pathName(at), file: shown });
  return { state: 'elsewhere', trouble };
}

/** Whether the key is put into the file. */
export function holdsKey(entries: readonly Entry[], { label }: Pick<Door, 'label'>): boolean {
  return entries.some(({ value }) => stringsIn(value).some((text) => text.endsWith(`.${label}`)));
}

/** What makes the program reach Jumpseat, unlike its choice of a model. */
function isLeading(at: Path, entries: readonly Entry[], door: Seen['door']): boolean {
  if (typeof at.at(-1) === 'object' || bearsName(at)) return true;
  const entry = entries.find((one) => isSame(one.at, at));
  if (entry === undefined || entry.isDefault) return false;
  if (entry.leads !== undefined) return true;
  return stringsIn(entry.value).some((text) => leadsHere(text, door, null) || text.endsWith(`.${door.label}`));
}

/** The place itself, or all elements of its list that have the same names. */
function alike(now: unknown, at: Path): Path[] {
  const last = at.at(-1);
  if (typeof last !== 'object') return [at];
  const list = valueAt(now, at.slice(0, -1));
  if (!Array.isArray(list)) return [];
  return list.flatMap((element: unknown) => {
    const found = Object.keys(last).map((name) => [name, valueAt(element, [name])] as const);
    const names = found.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    return names.length < found.length ? [] : [[...at.slice(0, -1), Object.fromEntries(names)]];
  });
}

function bearsName(at: Path): boolean {
  const last = at.at(-1);
  const words = typeof last === 'string' ? [last] : Object.values(last ?? {});
  return words.some((word) => word.toLowerCase() === 'jumpseat');
}

function leadsHere(text: string, door: Pick<Door, 'baseUrl'>, key: string | null): boolean {
  return /^jumpseat(?:\/|$)/i.test(text) || isOfDoor(text, door) || (key !== null && text.includes(key));
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

function isOfDoor(text: string, { baseUrl }: Pick<Door, 'baseUrl'>): boolean {
  return text === baseUrl || text.startsWith(`${baseUrl}/`);
}

/** `KEY` of `Bearer KEY.NAME` */
function keyIn(text: string): string {
  return text.replace(/^Bearer /, '').split('.')[0] ?? '';
}

/** Without what may be secret in it. */
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : 'another address';
}

/** Every text in a value, at any depth. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function isSame(one: Path, other: Path): boolean {
  return isDeepStrictEqual(one, other);
}

/** A place that bears our name is ours, whatever it holds. */
export function isOwnPlace({ at }: Pick<FileRecord['entries'][number], 'at'>): boolean {
  const last = at.at(-1);
  return typeof last === 'object' || last?.toLowerCase() === 'jumpseat';
}

export function isOurs(
  known: FileRecord | null,
  now: unknown,
  { at, wrote }: Pick<FileRecord['entries'][number], 'at' | 'wrote'>,
): boolean {
  const value = valueAt(now, at);
  return known !== null && value !== undefined && hashOf(known.salt, value) === wrote;
}

export function isUntouched(known: FileRecord | null, text: string): boolean {
  return known !== null && hashOf('', text) === known.after;
}

/**
 * Our lines taken out of a text that a person has changed since, and what they replaced put back, line by line. Null
 * where they can't be told from the person's.
 */
export function takenBack(
  known: FileRecord,
  text: string,
  whole: string | null,
  written: string | null,
): string | null {
  const { format, entries } = known;
  if (written === null || hashOf('', written) !== known.after) return null;
  const taken = applyPatch(text, structuredPatch('', '', written, whole ?? '', '', '', { context: 1 }));
  if (taken === false) return null;
  try {
    const [now, next] = [text, taken].map((one) => parseDocumentText(format, one));
    const earlier = parseDocumentText(format, whole ?? '');
    const paths = entries.map(({ at }) => at);
    const isBack = paths.every((at) => isDeepStrictEqual(valueAt(next, at), valueAt(earlier, at)));
    return isBack && isSameBut(now, next, paths) ? taken : null;
  } catch {
    return null;
  }
}

/** The text with what still holds our value gone, and what it replaced back. Throws `DocumentError`. */
export function withoutOurs(known: FileRecord, text: string, whole: string | null): string {
  const { format, entries } = known;
  const earlier = parseDocumentText(format, whole ?? '');
  const now = parseDocumentText(format, text);
  // The last one first: elements of a list keep their places.
  return entries.toReversed().reduce((next, one) => {
    if (!isOurs(known, now, one) && !isOwnPlace(one)) return next;
    const old = valueAt(earlier, one.at);
    const edited = withEdit(format, next, one.at, old);
    return old === undefined ? withoutEmptied(format, edited, one.at, earlier) : edited;
  }, text);
}
