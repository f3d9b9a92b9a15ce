import type { FitNote } from '../../api/exchange.ts';
import type { Block, MessagesRequest, Tool } from '../../formats/messages/request.ts';
import { keptIn } from '../../formats/messages/search-results.ts';
import { isObject } from '../../formats/wire/json.ts';
import { type BlockChange, type FitContext, type FitResult, note, textInPlaceOf, unchanged, without } from './fit.ts';

/**
 * Tools that Anthropic runs on its own servers. Copilot refuses each: `web_search_*` with `unsupported_value`,
 * `web_fetch_*` with "rejected tool(s)", `code_execution_*`, `advisor*` and `mcp_toolset` because their tags are not in
 * its list. Tool search is not among them: it works.
 */
const families: readonly { family: string; title: string }[] = [
  { family: 'web_search', title: 'Web search' },
  { family: 'web_fetch', title: 'Web fetch' },
  { family: 'code_execution', title: 'Code execution' },
  { family: 'advisor', title: 'The advisor tool' },
  { family: 'mcp_toolset', title: 'The MCP connector' },
];

interface ServerTool {
  /** `web_search` */
  family: string;
  /** How a person calls it. */
  title: string;
}

/** Null for a tool that the client runs, or one that Copilot runs. */
function serverTool(tool: Tool): ServerTool | null {
  const { type } = tool;
  if (typeof type !== 'string') return null;
  return families.find(({ family }) => type === family || type.startsWith(`${family}_`)) ?? null;
}

/**
 * Takes out the tools of `server-tools.ts`. Where there is no other tool, the request is a side request whose only
 * purpose is that tool (Claude Code's WebSearch): it is refused as `policy_blocked`, which the client shows once and
 * goes on with its turn.
 */
export function removeServerTools(request: MessagesRequest, context: FitContext): FitResult {
  const { tools } = request;
  if (!Array.isArray(tools)) return unchanged(request);
  const staying: Tool[] = [];
  const notes: FitNote[] = [];
  let removed: ServerTool | null = null;
  for (const tool of tools) {
    const server = serverTool(tool);
    if (server === null) {
      staying.push(tool);
      continue;
    }
    removed ??= server;
    notes.push(note('server-tool-removed', `server tool removed: ${server.family}`));
  }
  if (removed === null) return unchanged(request);
  if (staying.length === 0 && context.purpose === 'message') {
    return {
      ok: false,
      status: 400,
      type: 'policy_blocked',
      message: whyRefused(removed, context),
      code: 'server-tool-refused',
      shouldRetry: false,
    };
  }
  const next = staying.length > 0 ? { ...request, tools: staying } : without(request, 'tools', 'tool_choice');
  return { ok: true, request: forgetChoice(next, staying), notes };
}

/** A search is made here, unless the person or their organization has switched it off. */
function whyRefused({ family, title }: ServerTool, { whySearchIsOff }: FitContext): string {
  if (family === 'web_search' && whySearchIsOff !== undefined) return `Jumpseat: ${whySearchIsOff()}`;
  return `${title} is not available through Copilot.`;
}

/** A choice of a tool that left would be refused. */
function forgetChoice(request: MessagesRequest, tools: readonly Tool[]): MessagesRequest {
  const choice = request.tool_choice;
  if (choice?.type !== 'tool' || tools.some((tool) => tool.name === choice.name)) return request;
  return without(request, 'tool_choice');
}

const uses = new Set(['server_tool_use', 'mcp_tool_use']);
const results =
  /^(web_search|web_fetch|code_execution|bash_code_execution|text_editor_code_execution|advisor|mcp)_tool_result$/;
const asText = note('server-tool-blocks-as-text', 'server-tool blocks turned into text');

/**
 * What server tools left in the history: Copilot refuses block types it does not know. A result becomes its text, so
 * that the model still knows what was found; a call without its tool says nothing. Tool search stays: Copilot runs it.
 */
export function serverToolBlocksAsText(block: Block): BlockChange | null {
  if (uses.has(block.type)) {
    if (typeof block.name === 'string' && block.name.startsWith('tool_search')) return null;
    return { ok: true, block: null, note: asText };
  }
  if (!results.test(block.type)) return null;
  const text = textsOf(block.content).join('\n');
  const kind = block.type.slice(0, -'_tool_result'.length);
  return { ok: true, block: text === '' ? null : textInPlaceOf(block, `[${kind} result]\n${text}`), note: asText };
}

const citationsOut = note('search-citations-removed', 'citations of a search made elsewhere removed');

/** Their index is encrypted for Anthropic's own search alone. */
export function removeSearchCitations(block: Block): BlockChange | null {
  const { citations } = block;
  if (block.type !== 'text' || !Array.isArray(citations)) return null;
  const kept: unknown[] = citations.filter((each) => !isObject(each) || each.type !== 'web_search_result_location');
  if (kept.length === citations.length) return null;
  const { citations: _citations, ...plain } = block;
  return { ok: true, block: kept.length === 0 ? plain : { ...plain, citations: kept }, note: citationsOut };
}

/**
 * Where the results of the server tools keep what a person would read, in reading order. Ids and encrypted content are
 * not among them.
 */
const readable = ['title', 'url', 'text', 'stdout', 'stderr', 'error_code', 'content', 'source'];

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isObject(value)) return [];
  if (value.type === 'text' && typeof value.data === 'string') return textsOf(value.data);
  const kept = keptIn(value);
  return [...readable.flatMap((key) => textsOf(value[key])), ...(kept === null ? [] : [kept.text])];
}
