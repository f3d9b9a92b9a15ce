import { isObject } from '../app/formats/wire/json.ts';

/*
 * Where a client's own request holds something. Its translation has other messages at other numbers: the system prompt
 * and results of tools are messages of their own there, and `jumpseat.historyTurns` leaves old ones out.
 */

/**
 * The place in the client's request of what `field` names in its translation: `messages[2].content[1]` for
 * `messages[3].content[1].image_url`. The list of messages where the value can't be found.
 */
export function placeInRequest(body: unknown, translation: unknown, field: string): string {
  const value = wordOf(valueAt(translation, field));
  if (typeof value !== 'string' || value === '' || wordOf(valueAt(body, field)) === value) return field;
  const found = find(body, '', (each) => each === value || (value.startsWith('data:') && value.endsWith(`,${each}`)));
  const [top = field] = field.split(/[.[]/);
  return (
    found?.replace(/\.source\.(?:data|url)$|(?<=\.image_url)\.url$/, '') ??
    (top === 'messages' ? conversation(body) : field)
  );
}

/** The places of all images, in their order. */
export function imagePlaces(body: unknown): string[] {
  const top = conversation(body);
  return isObject(body) ? imagesBelow(body[top], top) : [];
}

function imagesBelow(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => imagesBelow(each, `${place}[${at}]`));
  if (!isObject(value)) return [];
  if (value.type === 'image') return [place];
  if (value.type === 'image_url' || value.type === 'input_image') return [`${place}.image_url`];
  return ['content', 'output'].flatMap((holder) => imagesBelow(value[holder], `${place}.${holder}`));
}

function conversation(body: unknown): 'input' | 'messages' {
  return isObject(body) && 'input' in body ? 'input' : 'messages';
}

/** The first string that fits, in the order of the request. */
function find(value: unknown, place: string, fits: (text: string) => boolean): string | null {
  if (typeof value === 'string') return value !== '' && fits(value) ? place : null;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((each, at) => [`${place}[${at}]`, each])
    : isObject(value)
      ? Object.entries(value).map(([name, each]) => [place === '' ? name : `${place}.${name}`, each])
      : [];
  for (const [below, each] of entries) {
    const found = find(each, below, fits);
    if (found !== null) return found;
  }
  return null;
}

function valueAt(root: unknown, field: string): unknown {
  let value = root;
  for (const name of field.split(/[.[\]]+/).filter((each) => each !== ''))
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  return value;
}

/** An image of Chat Completions is an object with an address. */
function wordOf(value: unknown): unknown {
  return isObject(value) ? value.url : value;
}
