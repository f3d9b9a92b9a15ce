import type { SessionEvent } from '../../../app/api/sessions.ts';
import { toolKindOf } from '../../../app/words/agents.ts';
import type { Answered, Lane, Step, StepContent, StepKind, StepState } from './conversation.ts';
import { type Fields, fieldsOf, figureOf, isFields, leftOutBytes, listOf, saidIn, textOf } from './fields.ts';

/** A step of which nothing has been told but its id. */
export function newStep(id: string, at: number | null): Step {
  return {
    ...{
      kind: 'step',
      id,
      stepKind: 'other',
      state: 'running',
      tool: '',
      title: '',
      input: null,
      inputAsked: null,
      content: [],
    },
    ...{ rawOutput: null, response: null, exitCode: null, tasks: null, locations: [], startedAt: at, endedAt: null },
    ...{ answered: null, lane: null, undone: [], changed: null, cuts: [] },
  };
}

/** The step with what a `tool_call` or a `tool_call_update` says of it. */
export function updatedStep(step: Step, update: Fields, at: number | null, cuts: SessionEvent['cuts']): Step {
  const claude = claudeMeta(update);
  const tool = nameOf(textOf(claude, 'toolName') ?? textOf(update, 'name') ?? step.tool);
  const stepKind = step.tool === tool && tool !== '' ? step.stepKind : toolKindOf(tool, textOf(update, 'kind'));
  const reported = fieldsOf(claude, 'toolResponse');
  const response = reported === null ? step.response : leanResponse(stepKind, reported);
  const state = stateOf(step, update, response, textOf(claude, 'nonExecutionKind'));
  const inPlace = inputInPlace(step.answered);
  const reportedInput = isFields(update.rawInput) ? update.rawInput : null;
  const input = inPlace ?? reportedInput ?? step.input;
  const content = contentOf(step, stepKind, update, reported);
  const next: Step = {
    ...step,
    ...{ stepKind, tool, response, input, state },
    inputAsked: inPlace === null ? null : (step.inputAsked ?? reportedInput),
    title: textOf(update, 'title') ?? step.title,
    content,
    rawOutput: isFields(update.rawOutput) ? update.rawOutput : step.rawOutput,
    exitCode: stepKind === 'shell' ? (exitCodeOf(update) ?? exitCodeIn(state, content) ?? step.exitCode) : null,
    locations: locationsOf(update) ?? step.locations,
    endedAt: hasEnded(state) ? (step.endedAt ?? at) : null,
    // An image that is not kept says so itself.
    cuts: cuts === null ? step.cuts : [...step.cuts, ...cuts.filter(({ kept }) => kept > 0)],
  };
  const known = claude === null && step.tool === '' ? next : claudeStep(next);
  return stepKind === 'subagent' ? withLane(known, reported) : known;
}

/** What a person wrote in place of the agent's input, and ran; the agent goes on naming its own. Null if nothing. */
export function inputInPlace(answered: Pick<Answered, 'answer'> | null): Fields | null {
  return fieldsOf(answered?.answer, 'input');
}

/** The step with the input that ran in place of the agent's, and its title by that. */
export function withInputInPlace(step: Step, answered: Answered): Step {
  const input = inputInPlace(answered);
  if (input === null) return step;
  const changed = { ...step, input, inputAsked: step.inputAsked ?? step.input };
  return step.tool === '' ? changed : claudeStep(changed);
}

/** The tool that starts a subagent has two names. */
function nameOf(tool: string): string {
  return tool === 'Task' ? 'Agent' : tool;
}

function hasEnded(state: StepState): boolean {
  return state !== 'running' && state !== 'waiting' && state !== 'background';
}

/** Refusals: by the person, and by a rule of theirs. */
const refusals = new Set(['user-rejected', 'permission-rule']);

function stateOf(step: Step, update: Fields, response: Fields | null, refusal: string | null): StepState {
  const isRefused = refusal !== null && refusals.has(refusal);
  // The end of a command that went on in the background.
  if (step.state === 'background' && isFields(update._meta) && 'terminal_exit' in update._meta) return 'done';
  switch (textOf(update, 'status')) {
    case 'completed':
      return textOf(response, 'backgroundTaskId') === null ? 'done' : 'background';
    case 'failed':
      // Claude Code calls it refused where its turn was stopped.
      if (isRefused && step.state === 'cut') return 'cut';
      return isRefused || step.state === 'denied' ? 'denied' : 'failed';
    default:
      return isRefused ? 'denied' : step.state;
  }
}

/** Leaves out what `content` or `input` has too: whole files would fill the window's memory. */
function leanResponse(kind: StepKind, response: Fields): Fields {
  if (kind === 'shell') return without(response, ['stdout', 'stderr']);
  if (kind === 'write' || kind === 'edit' || kind === 'notebook') {
    return without(response, [
      ...['originalFile', 'content', 'oldString', 'newString', 'edits', 'original_file', 'updated_file'],
    ]);
  }
  const file = fieldsOf(response, 'file');
  if (kind === 'read' && file !== null) return { ...response, file: leanFile(file) };
  if (kind === 'subagent') return without(response, ['content', 'prompt']);
  return response;
}

/** Claude Code counts the end of the last line as a line more. */
function leanFile(file: Fields): Fields {
  const [content, lines] = [textOf(file, 'content'), figureOf(file, 'numLines')];
  const more = lines !== null && lines > 1 && content?.endsWith('\n') ? { numLines: lines - 1 } : {};
  return { ...without(file, ['content', 'base64', 'cells']), ...more };
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function contentOf(step: Step, kind: StepKind, update: Fields, response: Fields | null): readonly StepContent[] {
  const reported = Array.isArray(update.content) ? update.content : null;
  // What Claude Code notes beside the output of a command is more exact than what the model reads, which comes later.
  const isPrinted = kind === 'shell' && step.response !== null;
  const output = isPrinted ? null : outputOf(kind, update, response, reported);
  if (reported === null && output === null) return step.content;
  const parts = reported === null ? step.content : reported.flatMap(toContent);
  const differences = parts.filter(({ type }) => type === 'diff');
  const before = step.content.filter(({ type }) => type === 'diff');
  const said = output === null ? step.content.filter(({ type }) => type === 'text') : toText(output);
  const rest = parts.filter(({ type }) => type !== 'diff' && type !== 'text');
  return [...(differences.length === 0 ? before : differences), ...said, ...rest];
}

function toText(text: string): StepContent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/**
 * What a tool printed or said, as it was: an adapter may put the same into a code block for editors. Null if nothing is
 * told of it.
 */
function outputOf(
  kind: StepKind,
  update: Fields,
  response: Fields | null,
  reported: readonly unknown[] | null,
): string | null {
  if (kind === 'shell' && response !== null) {
    const printed = [textOf(response, 'stdout'), textOf(response, 'stderr')].filter((text) => text !== null);
    if (printed.length > 0) return printed.filter((text) => text !== '').join('\n');
  }
  // What the model reads of a subagent's report has words of Claude Code's around it.
  if (kind === 'subagent' && response !== null) return saidIn(listOf(response, 'content'));
  if (typeof update.rawOutput === 'string') return update.rawOutput;
  const answered = saidIn(listOf(update, 'rawOutput'));
  if (answered !== '') return answered;
  const printed = textOf(fieldsOf(update._meta, 'terminal_output'), 'data');
  if (printed !== null) return printed;
  const texts = (reported ?? []).flatMap((one) => (isFields(one) && one.type === 'content' ? [one.content] : []));
  const text = saidIn(texts);
  return text === '' ? null : text;
}

function toContent(part: unknown): StepContent[] {
  if (!isFields(part)) return [];
  if (part.type === 'diff') {
    const { path, oldText, newText } = part;
    if (typeof path !== 'string' || typeof newText !== 'string') return [];
    return [{ type: 'diff', path, oldText: typeof oldText === 'string' ? oldText : null, newText }];
  }
  // What it prints comes beside it.
  if (part.type === 'terminal') return [];
  const block = part.type === 'content' ? part.content : part;
  if (textOf(block, 'text') !== null) return [{ type: 'text', text: textOf(block, 'text') ?? '' }];
  const [mimeType, data] = [textOf(block, 'mimeType'), textOf(block, 'data')];
  if (isFields(block) && block.type === 'image' && mimeType !== null && data !== null) {
    const bytes = leftOutBytes(block);
    return [{ type: 'image', mimeType, data, ...(bytes === null ? undefined : { bytes }) }];
  }
  return [{ type: 'other', block }];
}

function exitCodeOf(update: Fields): number | null {
  return figureOf(fieldsOf(update._meta, 'terminal_exit'), 'exit_code');
}

/** First line of the output of a failed command in Claude Code. */
const exitLine = /^(?:Error: )?Exit code (\d{1,5})\b/;

function exitCodeIn(state: StepState, content: readonly StepContent[]): number | null {
  if (state === 'done') return 0;
  const [said] = content;
  const [, code] = (state === 'failed' && said?.type === 'text' ? exitLine.exec(said.text) : null) ?? [];
  return code === undefined ? null : Number(code);
}

function locationsOf(update: Fields): Step['locations'] | null {
  const found = listOf(update, 'locations').flatMap((location) => {
    const path = textOf(location, 'path');
    return path === null ? [] : [{ path, line: figureOf(location, 'line') }];
  });
  return found.length === 0 ? null : found;
}

const noLane: Lane = { id: null, type: null, task: null, isBackground: false, blocks: [], steps: 0, nanoAiu: null };

/** A call that starts a subagent says what it is to do. */
function withLane(step: Step, response: Fields | null): Step {
  const { input } = step;
  const lane = step.lane ?? noLane;
  const steps = figureOf(response, 'totalToolUseCount');
  return {
    ...step,
    title: textOf(input, 'description') ?? step.title,
    lane: {
      ...lane,
      id: lane.id ?? textOf(response, 'agentId'),
      type: textOf(input, 'subagent_type') ?? lane.type,
      task: textOf(input, 'prompt') ?? lane.task,
      isBackground: lane.isBackground || textOf(response, 'status') === 'async_launched',
      steps: steps !== null && lane.blocks.length === 0 ? steps : lane.steps,
    },
  };
}

/**
 * What a step of Claude Code shows, from what its tool was given and noted. Its adapter and its transcript say the same
 * in other words; read so, a session that was followed live and one that was read are alike.
 */
function claudeStep(step: Step): Step {
  const path = textOf(step.input, 'file_path') ?? textOf(step.input, 'notebook_path');
  return {
    ...step,
    title: titleOf(step, path),
    locations: path === null ? [] : [{ path, line: lineOf(step) }],
    content: withHunks(step, path),
  };
}

/** Arguments to show; the first one present says what the step is about. */
const telling = ['command', 'description', 'pattern', 'url', 'query', 'title'];

function titleOf({ tool, input, title }: Step, path: string | null): string {
  if (path !== null) return `${tool} ${path.split(/[/\\]/).at(-1)}`;
  if (input === null || Object.keys(input).length === 0) return title;
  return telling.map((name) => textOf(input, name)).find((text) => text !== null) ?? tool;
}

function lineOf({ response, input }: Step): number | null {
  return figureOf(listOf(response, 'structuredPatch')[0], 'newStart') ?? figureOf(input, 'offset');
}

/** The changed places of a file with the lines around them, instead of the whole file. */
function withHunks({ response, content }: Step, path: string | null): readonly StepContent[] {
  const hunks = listOf(response, 'structuredPatch').filter(isFields);
  if (path === null || hunks.length === 0) return content;
  return [...hunks.map((hunk) => toDifference(hunk, path)), ...content.filter(({ type }) => type !== 'diff')];
}

function toDifference(hunk: Fields, path: string): StepContent {
  const lines = listOf(hunk, 'lines').filter((line) => typeof line === 'string');
  const side = (other: string): string =>
    lines
      .filter((line) => !line.startsWith(other) && !line.startsWith('\\'))
      .map((line) => line.slice(1))
      .join('\n');
  return { type: 'diff', path, oldText: side('+'), newText: side('-') };
}

/** Null if the tool is none of Claude Code's. */
function claudeMeta(update: Fields): Fields | null {
  return fieldsOf(update._meta, 'claudeCode');
}
