import { t } from '../../../app/language/translate.ts';
import { mcpTool } from '../../../app/words/agents.ts';
import { bytes } from '../../../app/words/numbers.ts';
import { oneLine } from '../../../app/words/text.ts';
import type { Step, StepContent, StepKind } from '../state/conversation.ts';
import { fieldsOf, figureOf, isFields, listOf, textOf } from '../state/fields.ts';
import { inputInPlace } from '../state/step.ts';
import { lineCount } from '../text/lines.ts';
import { terminalText } from '../text/terminal.tsx';

/** What a step does: `Run` `npm test`. */
interface StepWords {
  verb: string;
  object: string;
  /** The object is words, not code. */
  isWords: boolean;
  /** The object is a file's path. */
  isPath: boolean;
}

/** Lines that came and went. */
export interface ChangedLines {
  added: number;
  removed: number;
}

/** Longest name of a tool or a server. */
const mostOfVerb = 60;
/** Longest object; opening the step shows all of it. */
const mostShown = 300;

export function stepWords(step: Step, cwd: string | null): StepWords {
  const { verb, object: called, isWords = false, isPath = false } = named(step, cwd);
  // Until its input is there, the agent calls a step by its tool alone.
  const object = called === step.title && [step.tool, verb].includes(called) ? '' : called;
  const line = oneLine(terminalText(object.slice(0, 4 * mostShown)).replace(/\s*\n\s*/g, ' ↵ '), mostShown);
  return { verb: oneLine(verb, mostOfVerb), object: isPath ? withName(line, object) : line, isWords, isPath };
}

/** Shortens a line and keeps the file's name: folders before it are left out. */
function withName(line: string, path: string): string {
  const isCut = path.length > mostShown;
  return isCut ? oneLine(`…${path.slice(-mostShown)}`, mostShown + 1) : line;
}

interface Named {
  verb: string;
  object: string;
  isWords?: boolean;
  isPath?: boolean;
}

function named(step: Step, cwd: string | null): Named {
  const { input, title, tool, stepKind } = step;
  const path = shownPath(pathOf(step) ?? title, cwd);
  switch (stepKind) {
    case 'shell':
      return shellNamed(step);
    case 'read':
      return { verb: t('Read', {}, 'what a step does'), object: `${path}${rangeOf(step)}`, isPath: true };
    case 'search':
      return { verb: t('Search', {}, 'what a step does'), object: searchedFor(step, cwd) };
    case 'write':
      return { verb: t('Write', {}, 'what a step does'), object: path, isPath: true };
    case 'edit':
      return { verb: t('Edit', {}, 'what a step does'), object: path, isPath: true };
    case 'notebook': {
      const cell = textOf(input, 'cell_id');
      return {
        verb: t('Edit', {}, 'what a step does'),
        object: cell === null ? path : t('cell {cell} of {path}', { cell, path }),
        isPath: true,
      };
    }
    case 'web':
      return tool === 'WebSearch'
        ? { verb: t('Search the web'), object: textOf(input, 'query') ?? title, isWords: true }
        : { verb: t('Fetch'), object: textOf(input, 'url') ?? title };
    case 'mcp': {
      const found = mcpTool(tool);
      return found === null ? { verb: tool, object: '' } : { verb: found.server, object: found.tool };
    }
    case 'tasks':
      return { verb: t('Tasks'), object: '', isWords: true };
    case 'skill':
      return {
        verb: t('Use', {}, 'what a step does'),
        object: textOf(input, 'skill') ?? textOf(input, 'command') ?? title,
      };
    case 'subagent':
      return { verb: t('Subagent'), object: title, isWords: true };
    case 'question':
      return { verb: t('Question', {}, 'what a step does'), object: questionWords(step) || title, isWords: true };
    case 'plan':
      return { verb: t('Plan', {}, 'what a step does'), object: planTitle(step), isWords: true };
    default:
      return otherNamed(step);
  }
}

function shellNamed({ tool, input, title }: Step): Named {
  const shell = textOf(input, 'bash_id') ?? textOf(input, 'task_id') ?? textOf(input, 'shell_id') ?? '';
  if (tool === 'BashOutput' || tool === 'TaskOutput') return { verb: t('Read the output of'), object: shell };
  if (tool === 'KillShell' || tool === 'KillBash' || tool === 'TaskStop')
    return { verb: t('End', {}, 'what a step does'), object: shell };
  return { verb: t('Run', {}, 'what a step does'), object: commandOf({ input, title }) };
}

export function commandOf({ input, title }: Pick<Step, 'input' | 'title'>): string {
  return textOf(input, 'command') ?? title;
}

/** The command that the agent asked for, where a person had another one run; null where it ran as it was asked for. */
export function commandAsked({ input, inputAsked }: Pick<Step, 'input' | 'inputAsked'>): string | null {
  const asked = textOf(inputAsked, 'command');
  return asked === textOf(input, 'command') ? null : asked;
}

/** Longest code that a line shows whole. */
const mostInLine = 80;

/** Its line can’t show all of it, so that it is shown whole where the step is open. */
export function isTooLongForLine(text: string): boolean {
  return text.includes('\n') || text.length > mostInLine;
}

/** The object in the line of a step is shown once more, and whole, where that is open. */
export function isShownInside(step: Step): boolean {
  const { stepKind, input } = step;
  switch (stepKind) {
    case 'shell':
      return isTooLongForLine(commandOf(step)) || commandAsked(step) !== null;
    case 'plan':
      return true;
    case 'question':
      return listOf(input, 'questions').length === 1;
    case 'web':
      return askedOfWeb(step) !== null && textOf(input, 'prompt') === null;
    default:
      return false;
  }
}

/** What a page was asked, or what was searched for where its line can’t show all of it. */
export function askedOfWeb({ input }: Step): string | null {
  const query = textOf(input, 'query') ?? '';
  return textOf(input, 'prompt') ?? (isTooLongForLine(query) ? query : null);
}

interface SearchResult {
  title: string;
  address: string;
}

/** What Claude Code gives its model of a web search: `Links: [{"title":…,"url":…}]`, and what was said of them. */
export function searchResults(text: string): { results: SearchResult[]; said: string } {
  const results = [...text.matchAll(linksLine)].flatMap(([, links = '']) => linksIn(links));
  if (results.length === 0) return { results, said: text };
  const said = text.replace(/^Web search results for query: .*\n/, '').replace(linksLine, '');
  return { results, said: said.replace(/\n\s*REMINDER: [\s\S]*$/, '').trim() };
}

const linksLine = /^Links: (\[.*\])$/gm;

function linksIn(json: string): SearchResult[] {
  try {
    return listOf({ links: JSON.parse(json) }, 'links').flatMap((link) => {
      const address = textOf(link, 'url');
      return address === null ? [] : [{ address, title: textOf(link, 'title') ?? address }];
    });
  } catch {
    // It was too long to keep whole.
    return [];
  }
}

function otherNamed({ tool, input, title }: Step): Named {
  const [argument] = Object.values(input ?? {}).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  if (tool === '' || tool === title)
    return { verb: title === '' ? t('Tool') : title, object: argument === undefined ? '' : String(argument) };
  return { verb: tool, object: argument === undefined ? title : String(argument) };
}

export function pathOf({ input, locations }: Step): string | null {
  return (
    textOf(input, 'file_path') ?? textOf(input, 'notebook_path') ?? textOf(input, 'path') ?? locations[0]?.path ?? null
  );
}

/** Path relative to the session's folder, if it is inside. */
export function shownPath(path: string, cwd: string | null): string {
  if (cwd === null || cwd === '' || !path.startsWith(cwd)) return path;
  const rest = path.slice(cwd.length).replace(/^[\\/]+/, '');
  const isInside = /[\\/]$/.test(cwd) || /^[\\/]/.test(path.slice(cwd.length));
  return rest === '' || !isInside ? path : rest;
}

function rangeOf({ input, response }: Step): string {
  const file = fieldsOf(response, 'file');
  const from = figureOf(input, 'offset') ?? (figureOf(input, 'limit') === null ? null : 1);
  const lines = figureOf(file, 'numLines') ?? figureOf(input, 'limit');
  return from === null || lines === null || lines < 1 ? '' : `:${from}-${from + lines - 1}`;
}

function searchedFor({ input, title }: Step, cwd: string | null): string {
  const pattern = textOf(input, 'pattern') ?? textOf(input, 'query');
  if (pattern !== null) return `"${pattern}"`;
  const path = textOf(input, 'path');
  return path === null ? title : shownPath(path, cwd);
}

/** The question if there is one; headings if there are several. */
function questionWords({ input }: Step): string {
  const questions = listOf(input, 'questions');
  const [only] = questions.length === 1 ? questions : [];
  const asked = only === undefined ? null : textOf(only, 'question');
  return asked ?? questions.flatMap((question) => textOf(question, 'header') ?? []).join(', ');
}

/** The questions of a step with what was answered; null if nothing, or it is not known. */
export function answersOf({ input, response, answered }: Step): { asked: string; answer: string | null }[] {
  // Claude Code notes them by their questions; a form has them by their places, with a field for other words.
  const noted = fieldsOf(response, 'answers');
  const form = fieldsOf(answered?.answer, 'content');
  return listOf(input, 'questions').map((question, place) => {
    const asked = textOf(question, 'question') ?? textOf(question, 'header') ?? '';
    const given = noted?.[asked] ?? [form?.[`question_${place}`] ?? [], form?.[`question_${place}_custom`] ?? []];
    const answer = [given].flat(2).filter((one) => typeof one === 'string' && one !== '');
    return { asked, answer: answer.length === 0 ? null : answer.join(', ') };
  });
}

export function planOf({ input, title }: Pick<Step, 'input' | 'title'>): string {
  return textOf(input, 'plan') ?? title;
}

function planTitle(step: Step): string {
  const [first = ''] = planOf(step)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return first.replace(/^#+\s*/, '').replace(/^Plan:\s*/i, '');
}

/**
 * What it came to, at the right of the line: `exit 1`.
 * @param isCounted the lines that it changed stand there
 */
export function resultOf(step: Step, isCounted: boolean): string {
  const { state, answered, stepKind } = step;
  switch (state) {
    case 'waiting':
      return t('Waits for you');
    case 'denied':
      return answered?.by === 'person' || answered === null ? t('Denied by you') : t('Denied by a rule');
    case 'cut':
      return t('Cut off');
    case 'background':
      return t('In the background');
    case 'failed':
      // Where nobody was asked, nobody has refused it.
      if (answered === null) return failedWords(step);
      return stepKind === 'plan' ? t('Not approved') : stepKind === 'question' ? t('Not answered') : failedWords(step);
    case 'running':
      return runningWords(step);
    case 'done':
      if (step.undone.length > 0 && stepKind === 'shell')
        return t('{files, plural, one {# file} other {# files}} undone', { files: step.undone.length });
      if (step.undone.length > 0) return step.undone.length < step.locations.length ? t('Partly undone') : t('Undone');
      // Lines of output stand beside those that changed.
      return isCounted && (stepKind !== 'shell' || textIn(step.content).trim() === '') ? '' : doneWords(step);
  }
}

function failedWords({ exitCode, content, stepKind }: Step): string {
  if (exitCode !== null && exitCode !== 0) return t('exit {code}', { code: exitCode });
  const status = stepKind === 'web' ? /\b([45]\d\d)\b/.exec(textIn(content)) : null;
  return status?.[1] ?? t('Failed');
}

function runningWords(step: Step): string {
  const written = step.stepKind === 'write' ? textOf(step.input, 'content') : null;
  if (written !== null)
    return t('Writing, {lines, plural, one {# line} other {# lines}}', { lines: lineCount(written) });
  return step.lane === null || step.lane.steps === 0
    ? ''
    : t('{steps, plural, one {# step} other {# steps}}', { steps: step.lane.steps });
}

const byKind: Partial<Record<StepKind, (step: Step) => string>> = {
  shell: ({ content }) => {
    const lines = lineCount(textIn(content));
    return lines === 0 ? t('No output') : t('{lines, plural, one {# line} other {# lines}}', { lines });
  },
  read: readWords,
  search: (step) => t('{matches, plural, one {# match} other {# matches}}', { matches: matchesIn(step) }),
  web: ({ response, content }) => {
    const code = figureOf(response, 'code');
    if (code !== null && code >= 400) return `${code}`;
    const { results } = searchResults(textIn(content));
    if (results.length > 0)
      return t('{results, plural, one {# result} other {# results}}', { results: results.length });
    return bytes(figureOf(response, 'bytes') ?? textIn(content).length);
  },
  mcp: ({ content }) => mcpWords(content),
  'client-tool': ({ content }) => oneLine(textIn(content).split('\n', 1)[0] ?? '', 40) || t('Done'),
  tasks: ({ tasks }) => {
    const done = (tasks ?? []).filter(({ state }) => state === 'done');
    return t('{now} of {count}', { now: done.length, count: (tasks ?? []).length });
  },
  subagent: ({ lane }) =>
    lane === null || lane.steps === 0
      ? t('Done')
      : t('{steps, plural, one {# step} other {# steps}}', { steps: lane.steps }),
  question: (step) => {
    const answers = answersOf(step).flatMap(({ answer }) => answer ?? []);
    return answers.length === 0 ? t('Answered') : oneLine(answers.join(' · '), 80);
  },
  plan: () => t('Approved'),
  write: () => t('Done'),
};

function doneWords(step: Step): string {
  return byKind[step.stepKind]?.(step) ?? t('Done');
}

function readWords({ response, content }: Step): string {
  const lines = figureOf(fieldsOf(response, 'file'), 'numLines');
  if (lines !== null) return t('{lines, plural, one {# line} other {# lines}}', { lines });
  if (content.some(({ type }) => type === 'image')) return imageWords(1);
  return t('{lines, plural, one {# line} other {# lines}}', { lines: lineCount(textIn(content)) });
}

function matchesIn({ response, content }: Step): number {
  const reported = figureOf(response, 'numMatches') ?? figureOf(response, 'numLines') ?? figureOf(response, 'numFiles');
  if (reported !== null) return reported;
  const text = textIn(content);
  return /^No (?:matches|files) found/.test(text) ? 0 : lineCount(text);
}

function mcpWords(content: readonly StepContent[]): string {
  const images = content.filter(({ type }) => type === 'image').length;
  if (images > 0) return imageWords(images);
  const [said] = content.filter(({ type }) => type === 'text');
  const list = said?.type === 'text' && said.text.length < 200_000 ? listIn(said.text) : null;
  return list === null ? t('Done') : t('{results, plural, one {# result} other {# results}}', { results: list });
}

function imageWords(images: number): string {
  return t('{images, plural, one {# image} other {# images}}', { images });
}

function listIn(text: string): number | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.length : null;
  } catch {
    return null;
  }
}

export function textIn(content: readonly StepContent[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** `Read 4 files, searched 2 times`; one alone is a step like any other. */
export function readingWords(steps: readonly Step[]): string {
  const files = steps.filter(({ stepKind }) => stepKind === 'read').length;
  const searches = steps.length - files;
  if (files === 0) return t('{searches, plural, one {Searched once} other {Searched # times}}', { searches });
  if (searches === 0) return t('Read {files, plural, one {# file} other {# files}}', { files });
  return t(
    'Read {files, plural, one {# file} other {# files}}, searched {searches, plural, one {once} other {# times}}',
    { files, searches },
  );
}

/** The person's answer: `Allowed once`. Null if none was asked for, or the line has it already. */
export function answerWords({ answered, stepKind, state }: Step): string | null {
  if (answered === null || state === 'denied' || stepKind === 'question' || stepKind === 'plan') return null;
  if (answered.by === 'rule') return t('Allowed for this session');
  if (answered.by !== 'person' || textOf(answered.answer, 'answer') !== 'allow') return null;
  if (fieldsOf(answered.answer, 'rule') !== null) return t('Allowed for this session');
  if (isFields(answered.answer) && answered.answer.acceptEdits === true) return t('Edits accepted from here on');
  return inputInPlace(answered) === null ? t('Allowed once') : t('Allowed, changed by you');
}
