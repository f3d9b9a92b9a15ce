import type { Check } from '../../api/state.ts';
import { t } from '../../language/translate.ts';
import { callRunning } from '../../server/running-proxy.ts';
import { isWorking, reportLines } from '../../words/checks.ts';
import { insideChecks, isInside } from '../inside.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { hung, width } from '../table.ts';
import { printReport, type Terminal } from '../terminal.ts';

interface DoctorOptions {
  json?: boolean;
  inside?: boolean;
  forgetLearned?: boolean;
}

/** `jumpseat doctor`: 1 where Claude Code can’t work: a check fails. Costs no credits. */
export async function doctor(surroundings: Surroundings, options: DoctorOptions): Promise<number> {
  const { terminal, env } = surroundings;
  terminal.progress(t('Checking…'));
  if (options.inside || isInside(env)) {
    const checks = await insideChecks(env);
    terminal.progress(null);
    const report = { ok: isWorking(checks), checks };
    printReport(terminal, report, options.json, () => doctorLines(checks, terminal, Date.now()));
    return isWorking(checks) ? 0 : 1;
  }
  const { forgotten, checks } = await withApp(surroundings, {}, async ({ app, ports }) => {
    const forgotten = options.forgetLearned ? await app.forgetLessons(null) : null;
    const [own, reported] = await Promise.all([app.checks(), callRunning(ports.paths.lock, 'checks')]);
    return { forgotten, checks: own.map((check) => ofRunning(check, reported ?? [])) };
  });
  terminal.progress(null);
  const report = { ok: isWorking(checks), ...(forgotten !== null && { forgotten }), checks };
  printReport(terminal, report, options.json, () => [
    ...(forgotten === null ? [] : [`${forgottenWords(forgotten)}\n`]),
    ...doctorLines(checks, terminal, Date.now()),
  ]);
  return isWorking(checks) ? 0 : 1;
}

/** What only the running Jumpseat knows: files that it renamed, can’t write or has exported to, and places. */
const ofItsOwn: ReadonlySet<string> = new Set([
  ...['server.settings', 'server.database', 'server.otlp', 'server.places'],
]);

/** The account is the running Jumpseat’s, as in `status`; the shell and the files are those that are seen here. */
function ofRunning(check: Check, reported: readonly Check[]): Check {
  const isOfAccount = check.group === 'account' || check.group === 'copilot';
  // What is learned is in a file, from which it was forgotten here.
  const isItsOwn = (isOfAccount && check.id !== 'copilot.learned') || ofItsOwn.has(check.id);
  const found = reported.find(({ id }) => id === check.id);
  // The keys that it refused are known there alone.
  const hasRefused = check.id === 'machine.clients' && check.verdict !== 'warning' && found?.verdict === 'warning';
  return ((isItsOwn || hasRefused) && found) || check;
}

function forgottenWords(count: number): string {
  if (count === 0) return t('Nothing had been learned from refusals.');
  return t('Forgot {count, plural, one {# thing} other {# things}} that refusals had taught. Copilot is asked again.', {
    count,
  });
}

export function doctorLines(
  checks: readonly Check[],
  terminal: Pick<Terminal, 'style' | 'columns'>,
  now: number,
): string[] {
  return reportLines(checks, now, {
    strong: (text) => terminal.style('bold', text),
    quiet: (text) => terminal.style('dim', text),
    mark: (verdict) => mark(verdict, terminal),
    hung: (text, column) => hung(text, column, terminal.columns),
    width,
  });
}

function mark(verdict: Check['verdict'], terminal: Pick<Terminal, 'style'>): string {
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
