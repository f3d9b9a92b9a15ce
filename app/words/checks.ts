import type { Check } from '../api/state.ts';
import { shownLanguage } from '../language/language.ts';
import { type Message, msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { clockTime } from './times.ts';

/** The checks of `doctor` and of Health: their order, groups and names, and what is said of all of them together. */

export interface NamedCheck {
  /** `account.signed-in` */
  id: string;
  group: Check['group'];
  title: Message;
}

export const checkGroups: readonly { group: Check['group']; name: Message }[] = [
  { group: 'account', name: msg('Account') },
  { group: 'copilot', name: msg('Copilot') },
  { group: 'server', name: msg('Local server') },
  { group: 'claude-code', name: msg('Claude Code') },
  { group: 'machine', name: msg('This machine') },
];

/** The finding of the check of what refusals taught, where they taught nothing. */
export const nothingLearned = msg('Nothing learned from Copilot’s refusals so far');

export const needsAttention = ({ verdict }: Check): boolean => verdict === 'failed' || verdict === 'warning';
export const isFailed = ({ verdict }: Check): boolean => verdict === 'failed';

export const isWorking = (checks: readonly Check[]): boolean => !checks.some(isFailed);

/** Words whose capital only begins a sentence. Names keep theirs. */
const plainStart = /^(?:A|An|Another|It|No|Not|Nobody|Nothing|Out|Port|Requests|The|There|This|You|Your)\b/;

/** The first sentence. */
export function verdictSentence(checks: readonly Check[]): string {
  const failed = checks.find(isFailed);
  if (failed) {
    const whole = failed.finding.replace(/[.。]$/, '');
    // Only English begins a sentence with a capital that its words don’t have in the middle of one.
    const isEnglish = shownLanguage().tag.startsWith('en');
    const finding = isEnglish ? whole.replace(plainStart, (word) => word.toLowerCase()) : whole;
    return t('Claude Code can’t work: {finding}', { finding });
  }
  const warnings = checks.filter(({ verdict }) => verdict === 'warning').length;
  return warnings === 0
    ? t('Claude Code can work')
    : t('Claude Code can work, with {warnings, plural, one {# warning} other {# warnings}}', { warnings });
}

/** `13 passed · 2 warnings · 1 skipped · checked 10:42:04` */
export function verdictSummary(checks: readonly Check[], at: number): string {
  const count = (verdict: Check['verdict']): number => checks.filter((check) => check.verdict === verdict).length;
  return [
    t('{count} passed', { count: count('passed') }),
    ...(count('warning') > 0
      ? [t('{count, plural, one {# warning} other {# warnings}}', { count: count('warning') })]
      : []),
    ...(count('failed') > 0 ? [t('{count} failed', { count: count('failed') })] : []),
    ...(count('skipped') > 0 ? [t('{count} skipped', { count: count('skipped') })] : []),
    t('checked {time}', { time: clockTime(at) }),
  ].join(' · ');
}

/** How a report is dressed: the terminal has colours, a text to paste has none. */
interface ReportStyle {
  strong: (text: string) => string;
  quiet: (text: string) => string;
  mark: (verdict: Check['verdict']) => string;
  /** A text that begins in this column, for a terminal that may be narrow. */
  hung: (text: string, column: number) => string;
  /** In columns: Chinese and Japanese characters take two in a terminal. */
  width: (text: string) => number;
}

const plainMarks: Readonly<Record<Check['verdict'], string>> = { passed: '✓', warning: '!', failed: '✗', skipped: '–' };
const plain: ReportStyle = {
  strong: (text) => text,
  quiet: (text) => text,
  mark: (verdict) => plainMarks[verdict],
  hung: (text) => text,
  width: (text) => text.length,
};

/** The lines of `jumpseat doctor`, and of `Copy report`. Problems come first, each with its remedy. */
export function reportLines(checks: readonly Check[], at: number, style: ReportStyle = plain): string[] {
  const attention = [...checks.filter(isFailed), ...checks.filter(({ verdict }) => verdict === 'warning')];
  const width = Math.max(0, ...checks.map(({ title }) => style.width(title)));
  const column = 4 + width + 2;
  const line = (check: Check): string =>
    `  ${style.mark(check.verdict)} ${check.title}${' '.repeat(width - style.width(check.title))}  ${style.hung(check.finding, column)}`;
  const whole = (check: Check): string[] => [
    line(check),
    ...(check.remedy === null ? [] : [`${' '.repeat(column)}→ ${style.hung(check.remedy, column + 2)}`]),
  ];
  const rest = checkGroups.flatMap(({ group, name }) => {
    const here = checks.filter((check) => check.group === group && !needsAttention(check));
    return here.length === 0 ? [] : ['', style.strong(translated(name)), ...here.flatMap(whole)];
  });
  return [
    style.strong(style.hung(verdictSentence(checks), 0)),
    style.quiet(style.hung(verdictSummary(checks, at), 0)),
    ...(attention.length === 0 ? [] : ['', style.strong(t('Needs attention'))]),
    ...attention.flatMap(whole),
    ...rest,
  ];
}
