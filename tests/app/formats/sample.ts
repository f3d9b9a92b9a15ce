import { readdirSync, readFileSync } from 'node:fs';
import { isObject } from '../../../app/formats/wire/json.ts';

const folder = new URL('../../samples/', import.meta.url);

export function sample(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}

export function sampleJson(name: string): unknown {
  return JSON.parse(sample(name).toString());
}

export function sampleNames(ending: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(ending));
}

/** A recorded list of events as it stands on the wire. */
export function eventsAsSse(name: string, lineEnd = '\n'): Buffer {
  const events = sampleJson(name);
  if (!Array.isArray(events)) throw new Error(`${name} is no list`);
  return Buffer.from(
    events
      .map(
        (event) =>
          `event: ${isObject(event) ? event.type : ''}${lineEnd}data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`,
      )
      .join(''),
  );
}
