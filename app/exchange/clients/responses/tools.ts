import { type CatalogModel, searchesTheWeb } from '../../../copilot/model.ts';
import { isObject } from '../../../formats/wire/json.ts';
import { type Fate, type FieldRule, pass, refuseField } from '../openai/fields.ts';
import { isHostedSearch } from '../openai/hosted-search.ts';

/** What OpenAI's own service runs. Copilot runs the search of the web alone, and for models of OpenAI's. */
const hosted = /^(?:web_search|file_search|code_interpreter|image_generation|mcp$|tool_search$)/;

/** Told as functions by `plainFunctions`, where they are none. */
const ofTheClient: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/**
 * Tools that only OpenAI's own service runs are taken out: Codex always offers `web_search`, and gets along
 * without. A tool that the client would run in a way that only OpenAI's models know is refused by its place, since the
 * client relies on it. Copilot takes functions and its own search alone (`Invalid value for 'tools[4].type'`).
 */
export const tools: FieldRule = (value, model): Fate => {
  if (!Array.isArray(value)) return pass;
  const kept: unknown[] = [];
  const removed = new Set<string>();
  for (const [at, tool] of value.entries()) {
    const type = isObject(tool) ? tool.type : undefined;
    if (ofTheClient.has(type) || isRun(tool, model)) kept.push(tool);
    else if (typeof type === 'string' && hosted.test(type)) removed.add(type);
    else
      throw refuseField(
        `tools[${at}].type`,
        'Copilot knows functions, custom tools and namespaces, not ' +
          `${typeof type === 'string' ? type : 'a tool without a type'}. Leave it out.`,
      );
  }
  if (removed.size === 0) return pass;
  const note = `tools of OpenAI’s service removed: ${[...removed].join(', ')}`;
  return kept.length === 0 ? { kind: 'drop', note } : { kind: 'change', value: kept, note };
};

const choices: ReadonlySet<unknown> = new Set(['function', 'custom', 'allowed_tools']);

/** A tool that was taken out cannot be chosen. */
export const toolChoice: FieldRule = (value, model): Fate =>
  !isObject(value) || choices.has(value.type) || isRun(value, model)
    ? pass
    : { kind: 'refuse', message: `a tool of the type ${String(value.type)} is not there to be chosen.` };

function isRun(tool: unknown, model: CatalogModel): boolean {
  return isHostedSearch(tool) && searchesTheWeb(model);
}
