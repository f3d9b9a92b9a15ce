import type { Check } from '../../api.ts';
import { counted } from '../../words/numbers.ts';
import { clockTime } from '../../words/times.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';

export interface DoctorOptions {
  json?: boolean;
}

/** `jumpseat doctor`: 1 where a check fails. Costs no credits. */
export async function doctor(surroundings: Surroundings, options: DoctorOptions): Promise<number> {
  const { terminal } = surroundings;
  terminal.progress('Checking…');
  const checks = await withApp(surroundings, {}, ({ app }) => app.checks());
  terminal.progress(null);
  if (options.json) {
    terminal.out(JSON.stringify({ ok: !checks.some(isFailed), checks }, null, 2));
  } else {
    for (const line of doctorLines(checks, terminal, Date.now())) terminal.out(line);
  }
  return checks.some(isFailed) ? 1 : 0;
}

const groups: { group: Check['group']; name: string }[] = [
  { group: 'account', name: 'Account' },
  { group: 'copilot', name: 'Copilot' },
  { group: 'server', name: 'Local server' },
  { group: 'claude-code', name: 'Claude Code' },
  { group: 'machine', name: 'This machine' },
];

export function doctorLines(checks: readonly Check[], terminal: Pick<Terminal, 'style'>, now: number): string[] {
  const attention = checks.filter(needsAttention);
  const title = Math.max(0, ...checks.map((check) => check.title.length));
  const line = (check: Check): string => `  ${mark(check, terminal)} ${check.title.padEnd(title)}  ${check.finding}`;
  const count = (verdict: Check['verdict']): number => checks.filter((check) => check.verdict === verdict).length;
  const summary = [
    `${count('passed')} passed`,
    ...(count('warning') > 0 ? [counted(count('warning'), 'warning')] : []),
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('skipped') > 0 ? [`${count('skipped')} skipped`] : []),
    `checked ${clockTime(now)}`,
  ].join(' · ');
  const rest = groups.flatMap(({ group, name }) => {
    const here = checks.filter((check) => check.group === group && !needsAttention(check));
    return here.length === 0 ? [] : ['', terminal.style('bold', name), ...here.map(line)];
  });
  return [
    terminal.style('bold', verdictSentence(checks)),
    terminal.style('dim', summary),
    ...(attention.length === 0 ? [] : ['', terminal.style('bold', 'Needs attention')]),
    ...attention.flatMap((check) => [
      line(check),
      ...(check.mend === null ? [] : [`    ${' '.repeat(title)}  → ${check.mend}`]),
    ]),
    ...rest,
  ];
}

/** The one sentence that stands first. */
export function verdictSentence(checks: readonly Check[]): string {
  const failed = checks.find(isFailed);
  if (failed) {
    const finding = failed.finding.replace(/\.$/, '');
    return `Claude Code can’t work: ${finding.charAt(0).toLowerCase()}${finding.slice(1)}`;
  }
  const warnings = checks.filter((check) => check.verdict === 'warning').length;
  return warnings === 0 ? 'Claude Code can work' : `Claude Code can work, with ${counted(warnings, 'warning')}`;
}

function isFailed(check: Check): boolean {
  return check.verdict === 'failed';
}

function needsAttention(check: Check): boolean {
  return check.verdict === 'failed' || check.verdict === 'warning';
}

function mark({ verdict }: Check, terminal: Pick<Terminal, 'style'>): string {
  switch (verdict) {
    case 'passed':
      return terminal.style('green', '✓');
    case 'warning':
      return terminal.style('yellow', '!');
    case 'failed':
      return terminal.style('red', '✗');
    case 'skipped':
      return terminal.style('dim', '–');
  }
}
