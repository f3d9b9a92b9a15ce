import classNames from 'classnames/bind';
import { memo } from 'react';
import { msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { ruleNotation } from '../../../app/words/agents.ts';
import { creditsOf } from '../../../app/words/numbers.ts';
import { oneLine } from '../../../app/words/text.ts';
import { duration } from '../../../app/words/times.ts';
import type { Lane, Step, StepState } from '../state/conversation.ts';
import { useChangedBy } from './changed-lines.ts';
import type { Edge } from './items.ts';
import { StepOpened } from './step-opened.tsx';
import { answerWords, type ChangedLines, isShownInside, readingWords, resultOf, stepWords } from './step-words.ts';
import styles from './steps.module.css';
import { lookOf, StepIcon, Took, ToolLine } from './tool-line.tsx';
import { useIsOpen, useTranscript } from './transcript-context.ts';

const css = classNames.bind(styles);

const mostOfType = 60;

interface StepLineProps {
  itemKey: string;
  step: Step;
  turnId: string;
  edge: Edge;
  /** Depth in subagents. */
  depth: number;
}

/** One tool call: what it does, to what, what came of it, how long it took. */
export const StepLine = memo(function StepLine({ itemKey, step, turnId, edge, depth }: StepLineProps) {
  const { cwd } = useTranscript();
  const isOpen = useIsOpen(itemKey);
  const { verb, object, isWords, isPath } = stepWords(step, cwd);
  const changed = useChangedBy(step);
  const came = { changed: changed ?? null, result: resultOf(step, changed !== null) };
  const { lane, state } = step;
  const answer = answerWords(step);
  // The time that a person took is none of the step's.
  const isAsked = state === 'waiting' || state === 'denied';
  return (
    <ToolLine
      itemKey={itemKey}
      edge={edge}
      look={lookOf(state)}
      icon={<StepIcon kind={step.stepKind} state={state} />}
      verb={verb}
      object={
        lane?.type == null ? (
          object
        ) : (
          <>
            <b>{oneLine(lane.type, mostOfType)}</b> {object}
          </>
        )
      }
      {...{ isWords, isPath }}
      isRepeated={isShownInside(step)}
      result={<StepResult came={came} answer={answer} rule={ruleIn(step)} />}
      took={
        <>
          {lane?.nanoAiu != null && (
            <span
              className={css('took', 'cost')}
              aria-hidden="true"
              title={t('Credits of its requests, as reported by Copilot')}
            >
              {t('{amount} credits', { amount: creditsOf(lane.nanoAiu) })}
            </span>
          )}
          {isAsked ? null : <Took startedAt={step.startedAt} endedAt={step.endedAt} isRunning={state === 'running'} />}
        </>
      }
      name={nameOf(step, [verb, object], came)}
      testId={`step-${step.id}`}
      live={lane !== null && (state === 'running' || state === 'waiting') && !isOpen ? <LiveLine lane={lane} /> : null}
      opened={() => <StepOpened itemKey={itemKey} step={step} turnId={turnId} depth={depth} />}
    />
  );
});

/** What came of a step. `changed`: lines; null if there is none, or not counted yet. */
interface Came {
  changed: ChangedLines | null;
  result: string;
}

function StepResult({ came, answer, rule }: { came: Came; answer: string | null; rule: string | undefined }) {
  const { changed, result } = came;
  return (
    <>
      {answer !== null && (
        <span className={css('answer-given')} title={rule}>
          {answer}
        </span>
      )}
      {answer !== null && (changed !== null || result !== '') && <span className={css('answer-given')}> · </span>}
      {changed === null ? (
        result
      ) : (
        <>
          {result !== '' && `${result} · `}
          {changed.added > 0 && <span className="plus">+{changed.added}</span>}
          {changed.added > 0 && changed.removed > 0 && ' '}
          {changed.removed > 0 && <span className="minus">−{changed.removed}</span>}
        </>
      )}
    </>
  );
}

/** What was allowed for the session: `Bash(npm test:*)`. */
function ruleIn({ answered }: Step): string | undefined {
  const rule = answered?.rule;
  if (typeof rule !== 'object' || rule === null || !('tool' in rule) || typeof rule.tool !== 'string') return undefined;
  const input = 'input' in rule && typeof rule.input === 'string' ? rule.input : null;
  return ruleNotation({ tool: rule.tool, input, isExact: 'isExact' in rule && rule.isExact === true });
}

const stateNames = {
  running: msg('running'),
  waiting: msg('waits for you'),
  failed: msg('failed'),
  denied: msg('denied'),
  cut: msg('cut off'),
  background: msg('in the background'),
  done: null,
} as const;

/** `Run npm test, failed, exit 1, 8.6 seconds` */
function nameOf(
  { state, startedAt, endedAt, lane }: Step,
  [verb, object]: [string, string],
  { result, changed }: Came,
): string {
  const stateName = stateNames[state];
  const now = stateName === null ? null : translated(stateName);
  const said = now !== null && result.toLowerCase() === now ? '' : result;
  const took =
    startedAt === null || endedAt === null || state === 'denied' ? '' : inSeconds(duration(endedAt - startedAt));
  const lines =
    changed === null
      ? ''
      : t('{added, plural, one {# line} other {# lines}} added, {removed} removed', {
          added: changed.added,
          removed: changed.removed,
        });
  const what = [verb, oneLine(lane?.type ?? '', mostOfType), object].filter((part) => part !== '').join(' ');
  const spent = lane?.nanoAiu == null ? '' : t('{amount} credits', { amount: creditsOf(lane.nanoAiu) });
  return [what, now ?? '', said, lines, spent, took].filter((part) => part !== '').join(', ');
}

/** `8.6 seconds` for `8.6 s` */
function inSeconds(took: string): string {
  return took.endsWith(' s') ? t('{time} seconds', { time: took.slice(0, -2) }) : took;
}

/** Most lines shown in a row; the latest ones. */
const mostShown = 200;

interface ReadingLineProps {
  itemKey: string;
  steps: readonly Step[];
  turnId: string;
  edge: Edge;
  depth: number;
}

/** Reads and searches in a row: one line whose words count up, or each of them. */
export const ReadingLine = memo(function ReadingLine(props: ReadingLineProps) {
  const { itemKey, steps, turnId, edge, depth } = props;
  const [first] = steps;
  if (first === undefined) return null;
  if (steps.length === 1) {
    return <StepLine itemKey={itemKey} step={first} turnId={turnId} edge={edge} depth={depth} />;
  }
  const state = stateOf(steps);
  const failed = steps.filter((step) => step.state === 'failed').length;
  const words = readingWords(steps);
  const isSearch = steps.some(({ stepKind }) => stepKind === 'search');
  const result = failed === 0 ? '' : t('{failed} failed', { failed });
  return (
    <ToolLine
      itemKey={itemKey}
      edge={edge}
      look={failed > 0 && state !== 'running' ? 'failed' : lookOf(state)}
      icon={<StepIcon kind={isSearch ? 'search' : 'read'} state={state} />}
      verb={words}
      isWords
      result={result}
      took={<Took startedAt={first.startedAt} endedAt={lastEnd(steps)} isRunning={state === 'running'} />}
      name={result === '' ? words : `${words}, ${result}`}
      testId={`step-${first.id}`}
      opened={() => (
        <div className={css('tools')}>
          {steps.slice(-mostShown).map((step, index, shown) => {
            const key = `${itemKey}#${step.id}`;
            const at = { isFirst: index === 0, isLast: index === shown.length - 1 };
            return <StepLine key={key} itemKey={key} step={step} turnId={turnId} edge={at} depth={depth} />;
          })}
        </div>
      )}
    />
  );
});

function stateOf(steps: readonly Step[]): StepState {
  const states = new Set(steps.map(({ state }) => state));
  for (const state of ['running', 'cut'] as const) if (states.has(state)) return state;
  return 'done';
}

function lastEnd(steps: readonly Step[]): number | null {
  const ends = steps.flatMap(({ endedAt }) => endedAt ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** What a subagent does now, in one line of one height. */
function LiveLine({ lane }: { lane: Lane }) {
  const { cwd } = useTranscript();
  const last = lane.blocks.at(-1);
  return (
    <div className={css('live')}>
      {last?.kind === 'step' ? <StepNow step={last} cwd={cwd} /> : <span className="ell">{saying(last?.kind)}</span>}
    </div>
  );
}

function StepNow({ step, cwd }: { step: Step; cwd: string | null }) {
  const { verb, object } = stepWords(step, cwd);
  return (
    <>
      <StepIcon kind={step.stepKind} state="done" size={14} />
      <span className="ell">
        {verb} <span className="mono">{object}</span>
      </span>
    </>
  );
}

function saying(kind: string | undefined): string {
  if (kind === undefined) return t('Starting…');
  return kind === 'text' ? t('Writing') : t('Thinking');
}
