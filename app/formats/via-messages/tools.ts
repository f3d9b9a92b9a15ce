import type { MessagesRequest, Tool, ToolChoice } from '../messages/request.ts';
import type { Notes } from '../translation/note.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { isGiven, UnsupportedFieldError } from './content.ts';

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/;

/**
 * A function as OpenAI's APIs declare it. Throws `NoPlace` for what the Messages API would refuse by a name that the
 * client has never used.
 */
export function functionTool({ name, description, parameters, strict }: JsonObject, place: string): Tool {
  if (typeof name !== 'string' || name === '')
    throw new UnsupportedFieldError(`${place}.name`, 'a string is required.');
  if (!namePattern.test(name))
    throw new UnsupportedFieldError(
      `${place}.name`,
      'up to 128 letters, digits, underscores and hyphens are required.',
    );
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: inputSchema(parameters, `${place}.parameters`),
    ...(strict === true ? { strict } : {}),
  };
}

/** A schema without a type is completed later. */
function inputSchema(parameters: unknown, place: string): JsonObject {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} };
  if (!isObject(parameters)) throw new UnsupportedFieldError(place, 'a JSON Schema is required.');
  if (parameters.type !== undefined && parameters.type !== 'object')
    throw new UnsupportedFieldError(`${place}.type`, '“object” is required.');
  return parameters;
}

/**
 * Puts the tools into the request, with what the client chose of them. Throws `NoPlace` for a choice without tools, for
 * a name twice and for one that is not there.
 * @param parallel `parallel_tool_calls`, as the client sent it
 */
export function putTools(
  request: MessagesRequest,
  { tools, choice, parallel }: { tools: Tool[]; choice: ToolChoice | null; parallel: unknown },
): void {
  if (isGiven(parallel) && typeof parallel !== 'boolean')
    throw new UnsupportedFieldError('parallel_tool_calls', 'true or false is required.');
  if (tools.length === 0) {
    if (choice !== null && choice.type !== 'none' && choice.type !== 'auto')
      throw new UnsupportedFieldError('tool_choice', 'there are no tools to choose from.');
    return;
  }
  checkNames(tools, choice);
  request.tools = tools;
  if (parallel === false && choice?.type !== 'none')
    request.tool_choice = { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
  else if (choice !== null) request.tool_choice = choice;
}

/** Each name once, and the one that has to be called among them. */
function checkNames(tools: readonly Tool[], choice: ToolChoice | null): void {
  const names = new Set<string>();
  for (const [at, { name }] of tools.entries()) {
    if (names.has(name)) throw new UnsupportedFieldError(`tools[${at}]`, 'another tool has the same name.');
    names.add(name);
  }
  if (choice?.type === 'tool' && !names.has(choice.name ?? ''))
    throw new UnsupportedFieldError('tool_choice', 'there is no tool of this name.');
}

const askForJson =
  'Answer with exactly one JSON object: nothing before it, nothing after it, and no code fence around it.';

/**
 * Messages has no mode for JSON of any shape: it is asked for in words.
 * @param field where the client asked for it
 */
export function askInWords(request: MessagesRequest, notes: Notes, field: string): void {
  request.system = [...(Array.isArray(request.system) ? request.system : []), { type: 'text', text: askForJson }];
  notes.add('json-in-words', `${field} json_object asked for in words`);
}
