import type { Check } from '../../api/health.ts';
import { isFailed, reportLines } from '../../words/checks.ts';
import { counted } from '../../words/numbers.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';

export interface DoctorOptions {
  json?: boolean;
  forgetLearned?: boolean;
}

/** `jumpseat doctor`: 1 where a check fails. Costs no credits. */
export async function doctor(surroundings: Surroundings, options: DoctorOptions): Promise<number> {
  const { terminal } = surroundings;
  terminal.progress('Checking…');
  const { forgotten, checks } = await withApp(surroundings, {}, async ({ app }) => ({
    forgotten: options.forgetLearned ? await app.forgetLessons(null) : null,
    checks: await app.checks(),
  }));
  terminal.progress(null);
  if (options.json) {
    const more = forgotten === null ? {} : { forgotten };
    terminal.out(JSON.stringify({ ok: !checks.some(isFailed), ...more, checks }, null, 2));
  } else {
    if (forgotten !== null) terminal.out(`${forgottenWords(forgotten)}\n`);
    for (const line of doctorLines(checks, terminal, Date.now())) terminal.out(line);
  }
  return checks.some(isFailed) ? 1 : 0;
}

function forgottenWords(count: number): string {
  if (count === 0) return 'Nothing had been learned from refusals.';
  return `Forgot ${counted(count, 'thing')} that refusals had taught. Copilot is asked again.`;
}

export function doctorLines(checks: readonly Check[], terminal: Pick<Terminal, 'style'>, now: number): string[] {
  return reportLines(checks, now, {
    strong: (text) => terminal.style('bold', text),
    quiet: (text) => terminal.style('dim', text),
    mark: (verdict) => mark(verdict, terminal),
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
