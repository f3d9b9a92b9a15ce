import type { Tool } from '../../formats/messages/request.ts';
import { isObject } from '../../formats/wire/json.ts';
import { note } from './fit.ts';

/** A schema has to say that it is an object's; VS Code completes those of tools that take no input in the same way. */
export function completeToolSchema(tool: Tool) {
  const schema = tool.input_schema;
  if (!isObject(schema) || schema.type !== undefined) return null;
  const completed = { ...schema, type: 'object', properties: schema.properties ?? {} };
  return { tool: { ...tool, input_schema: completed }, note: note('schema-completed', 'schema completed') };
}
