import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const name = 'settings.schema.json';

/** How settings.json names its schema, which is saved beside it. */
export const ownSchema = `./${name}`;

/** Writes the schema with which editors complete settings.json into its folder. Loaded with the first change alone. */
export async function writeSchema(folder: string): Promise<void> {
  const { default: schema } = await import('../../docs/settings.schema.json', { with: { type: 'json' } });
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  const path = join(folder, name);
  if (textOf(path) !== text) writeFileSync(path, text, { mode: 0o600 });
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
