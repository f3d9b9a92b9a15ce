import type { Check } from '../../api.ts';
import { isFailed, reportLines } from '../../words/checks.ts';
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
