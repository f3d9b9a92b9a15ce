import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settingsSchema } from '../../../app/settings/schema.ts';

/** What docs/settings.md says of each setting is what the schema says. */

interface Node {
  type?: string | string[];
  anyOf?: Node[];
  properties?: Record<string, Node>;
  items?: Node;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  additionalProperties?: Node;
}

const schema: Node = JSON.parse(
  JSON.stringify(z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' })),
);
const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'settings.md'), 'utf8');

/** First cells of the table below a heading. */
function tableBelow(heading: string, cells: number): string[][] {
  const part = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, 1 + cells)
        .map((cell) => cell.trim()),
    );
}

function typeOf(node: Node): string {
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(', ');
  const type = Array.isArray(node.type) ? node.type.join(' or ') : (node.type ?? 'text');
  if (type === 'array') return `list of ${typeOf(node.items ?? {})}`;
  if (type === 'object') return 'names with texts';
  if (type === 'integer') return 'whole number';
  return type === 'string' ? 'text' : type;
}

function boundsOf(node: Node): string {
  const inner = node.anyOf?.find((each) => each.type !== 'null') ?? node;
  if (inner.maxLength !== undefined) return `at most ${inner.maxLength} characters`;
  const least = inner.minimum !== undefined ? String(inner.minimum) : null;
  const most = inner.maximum !== undefined && inner.maximum < Number.MAX_SAFE_INTEGER ? String(inner.maximum) : null;
  if (least !== null && most !== null) return `${least} to ${most}`;
  if (inner.exclusiveMinimum !== undefined)
    return `more than ${inner.exclusiveMinimum}${most ? `, at most ${most}` : ''}`;
  return '';
}

function rowsOf(node: Node, path: string, inherited: unknown): string[][] {
  const value = node.default ?? inherited ?? null;
  if (node.properties === undefined) {
    const shown = value === null && node.default === undefined ? 'not set' : `\`${JSON.stringify(value)}\``;
    return [[`\`${path}\``, typeOf(node), shown, boundsOf(node)]];
  }
  const defaults = new Map(Object.entries(Object(value)));
  return Object.entries(node.properties).flatMap(([name, child]) =>
    rowsOf(child, path === '' ? name : `${path}.${name}`, defaults.get(name)),
  );
}

const written = tableBelow('What Jumpseat writes there itself', 1).map(([name]) => name?.replaceAll('`', ''));

describe('docs/settings.md', () => {
  it('has every setting of a person with its type, default and bounds', () => {
    const chosen = Object.entries(schema.properties ?? {}).filter(([name]) => !written.includes(name));
    expect(tableBelow('What you choose', 4)).toEqual(chosen.flatMap(([name, node]) => rowsOf(node, name, null)));
  });

  it('names what Jumpseat writes there itself, and nothing that is not in the schema', () => {
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((name) => !Object.hasOwn(schema.properties ?? {}, name ?? ''))).toEqual([]);
  });
});
