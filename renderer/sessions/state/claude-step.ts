import type { Step, StepContent } from './conversation.ts';
import { type Fields, fieldsOf, figureOf, isFields, listOf, textOf } from './fields.ts';

/**
 * What a step of Claude Code shows, from what its tool was given and noted. Its adapter and its transcript say the same
 * in other words; read so, a session that was followed live and one that was read are alike.
 */
export function claudeStep(step: Step): Step {
  const path = textOf(step.input, 'file_path') ?? textOf(step.input, 'notebook_path');
  return {
    ...step,
    title: titleOf(step, path),
    locations: path === null ? [] : [{ path, line: lineOf(step) }],
    content: withHunks(step, path),
  };
}

/** Of its words, the first that says what it is about. */
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

/** Null: the tool is none of Claude Code's. */
export function claudeMeta(update: Fields): Fields | null {
  return fieldsOf(update._meta, 'claudeCode');
}
