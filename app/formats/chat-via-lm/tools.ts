import type { LmRequest, LmTool } from '../lm/request.ts';
import type { Notes } from '../translation/note.ts';
import { isGiven, listOf, textOf } from '../via-messages/fields.ts';
import { NoPlace } from '../via-messages/no-place.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

const namePattern = /^[\w-]+$/;

/** The tools of a chat request, as far as one of them may or has to be called. */
export function lmTools(body: JsonObject, notes: Notes): Pick<LmRequest, 'tools' | 'required'> {
  const declared = listOf(body.tools, 'tools').map((tool, at) => lmTool(tool, `tools[${at}]`, notes));
  const { tool_choice: choice } = body;
  if (!isGiven(choice) || choice === 'auto') return { tools: declared, required: false };
  if (choice === 'none') {
    if (declared.length > 0) notes.add('tools-removed', 'tool_choice none: tools not sent');
    return { tools: [], required: false };
  }
  if (choice === 'required') {
    // VS Code: "LanguageModelChatToolMode.Required not supported with more than one tool".
    if (declared.length > 1) notes.add('field-dropped', 'tool_choice required with several tools removed');
    return { tools: declared, required: declared.length === 1 };
  }
  const name = isObject(choice) && isObject(choice.function) ? choice.function.name : null;
  const chosen = declared.filter((tool) => tool.name === name);
  if (chosen.length !== 1) throw new NoPlace('tool_choice', 'auto, none, required and one function are known.');
  if (declared.length > 1) notes.add('tools-removed', 'tool_choice of one function: the others not sent');
  return { tools: chosen, required: true };
}

function lmTool(tool: unknown, place: string, notes: Notes): LmTool {
  const declared = isObject(tool) && tool.type === 'function' && isObject(tool.function) ? tool.function : null;
  if (declared === null) throw new NoPlace(`${place}.type`, 'only functions are known.');
  const { name, description, parameters, ...rest } = declared;
  const named = textOf(name, `${place}.function.name`);
  if (!namePattern.test(named))
    throw new NoPlace(`${place}.function.name`, 'letters, digits, underscores and hyphens are required.');
  for (const [field, value] of Object.entries(rest))
    if (isGiven(value) && value !== false) notes.add('field-dropped', `tools.function.${field} removed`);
  const made: LmTool = { name: named, description: typeof description === 'string' ? description : '' };
  if (!isGiven(parameters)) return made;
  if (!isObject(parameters)) throw new NoPlace(`${place}.function.parameters`, 'a JSON Schema is required.');
  const { $schema: _, ...inputSchema } = parameters;
  return { ...made, inputSchema };
}
