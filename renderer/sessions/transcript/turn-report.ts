import { exactTime } from '../../../app/words/exact-times.ts';
import { wholeFailure } from '../../../app/words/turn-failure.ts';
import type { Step, Turn } from '../state/conversation.ts';
import { failureOf } from './failure-words.ts';

export interface ReportAbout {
  /** Of Jumpseat. */
  version: string;
  agent: string;
  /** Of the agent; null: not known. */
  agentVersion: string | null;
  /** As the browser names its system. */
  system: string;
}

/**
 * One turn as Markdown for who has to mend it: how it ended, and how far it came. No word of the prompt, of an answer,
 * of a command or of a path, and nothing that a program printed.
 */
export function turnReport(turn: Turn, { version, agent, agentVersion, system }: ReportAbout): string {
  const { problem, state, startedAt, endedAt, requestIds, models } = turn;
  const facts: [string, string | null][] = [
    ['Jumpseat', version],
    [agent, agentVersion ?? 'unknown'],
    ['System', system],
    ['Started', startedAt === null ? null : exactTime(startedAt)],
    ['Ended', endedAt === null ? null : exactTime(endedAt)],
    ['Outcome', [state, problem?.code].filter((part) => part !== undefined).join(', ')],
    ['Known of it', problem?.facts === undefined ? null : factWords(problem.facts)],
    ['What was said', saidHere(turn, agent)],
    ['Models', models.join(', ') || null],
    ['Steps', stepWords(turn)],
    ['Request that failed', problem?.requestId ?? null],
    ['Requests', requestIds.join(', ') || null],
  ];
  return [
    '## A turn that failed',
    '',
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${value}`])),
    '',
  ].join('\n');
}

function factWords(facts: NonNullable<Turn['problem']>['facts'] & object): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** Where it is all our own words: what an agent says may hold a path. */
function saidHere(turn: Turn, agent: string): string | null {
  const isOurs = turn.problem?.facts !== undefined && turn.problem.code !== 'refused';
  return isOurs ? wholeFailure(failureOf(turn, agent)) : null;
}

/** `Bash 3 (1 failed), Read 2` */
function stepWords({ blocks }: Turn): string | null {
  const steps = blocks.filter((block): block is Step => block.kind === 'step');
  const byTool = Map.groupBy(steps, ({ tool, stepKind }) => (/^[A-Za-z]{1,40}$/.test(tool) ? tool : stepKind));
  const words = [...byTool].map(([tool, some]) => {
    const bad = some.filter(({ state }) => state === 'failed' || state === 'cut').length;
    return `${tool} ${some.length}${bad === 0 ? '' : ` (${bad} failed or cut)`}`;
  });
  return words.length === 0 ? null : words.join(', ');
}
