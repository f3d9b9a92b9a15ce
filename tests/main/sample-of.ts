import { z } from 'zod';

/** A small value that the schema takes. Numbers go up, for schemas that compare two of them. */
export function sampleOf(schema: z.ZodType): unknown {
  const numbers = { next: 0 };
  return madeOf(z.toJSONSchema(schema, { unrepresentable: 'any' }), numbers);
}

type Json = z.core.JSONSchema.BaseSchema;

function madeOf(schema: Json, numbers: { next: number }): unknown {
  const of = (inner: unknown): unknown => madeOf(inner as Json, numbers);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return of(choice);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [], additionalProperties } = schema;
      return Object.fromEntries(required.map((key) => [key, of(properties[key] ?? additionalProperties)]));
    }
    case 'array':
      return (schema.prefixItems ?? []).map(of);
    case 'string':
      return 'x'.repeat(schema.minLength ?? 1);
    case 'integer':
    case 'number':
      return Math.min(
        Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) + ++numbers.next,
        schema.maximum ?? Infinity,
      );
    case 'boolean':
      return true;
    default:
      return type === 'null' ? null : undefined;
  }
}
