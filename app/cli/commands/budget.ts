import type { AppState } from '../../api/state.ts';
import { callRunning } from '../../server/running-proxy.ts';
import { creditAmount, exact, premiumRequests, share } from '../../words/numbers.ts';
import { overageWords } from '../../words/status.ts';
import { type BudgetLine, budgetLines } from '../../words/usage.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';

interface BudgetOptions {
  json?: boolean;
  check?: boolean;
  allowOverage?: boolean;
}

/** `jumpseat budget`: what may be used, and what is. With `--check` 1 where one of them is used up. */
export async function budget(surroundings: Surroundings, options: BudgetOptions): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async (opened) => {
    if (options.allowOverage) {
      await opened.app.decideOverage(true);
      terminal.out('Until midnight, GitHub may bill what is more than included.');
      return 0;
    }
    const state = await known(opened);
    const now = opened.ports.clock.now();
    const lines = budgetLines(state, now);
    const code = options.check && lines.some(({ isUsedUp }) => isUsedUp) ? 1 : 0;
    // A limit that can't be used isn't in force.
    const warnings = state.warnings.filter((warning) => warning.code.startsWith('settings-'));
    for (const { text, remedy } of warnings) terminal.err(`${text} ${remedy}`);
    if (options.json) {
      terminal.out(JSON.stringify({ limits: lines, warnings }, null, 2));
      return code;
    }
    if (lines.length === 0) terminal.out('No limit is known: no quota was read, and you have set no limits.');
    else for (const line of budgetTable(lines, terminal.columns)) terminal.out(line);
    const { overage } = state.health;
    if (overage !== null) terminal.out(overageWords(overage));
    for (const { name, pace } of lines) if (pace !== null) terminal.out(`${name}: ${pace.forecast} ${pace.basis}.`);
    return code;
  });
}

/** Asks the running Jumpseat, which reads its quota anew. If none runs, reads the state itself. */
async function known({ app, ports }: Opened): Promise<AppState> {
  const { healthCalls } = await import('../../api/calls/health.ts');
  await callRunning(ports.paths.lock, 'refresh', healthCalls.refresh);
  const running = await callRunning(ports.paths.lock, 'state', healthCalls.state);
  if (running) return running;
  await app.refresh();
  return app.state();
}

function budgetTable(lines: readonly BudgetLine[], most: number | undefined): string[] {
  const amount = (value: number | null, unit: string): string =>
    value === null ? '–' : unit === 'credits' ? creditAmount(value) : premiumRequests(value);
  return table(
    [
      { head: 'Limit' },
      { head: 'Used', align: 'right' },
      { head: 'Of', align: 'right' },
      { head: 'Share', align: 'right', spare: 2 },
      { head: '', spare: 1 },
    ],
    lines.map(({ name, used, of, unit, isUsedUp, until }) => [
      name,
      amount(used, unit),
      of === null ? 'no limit' : exact(of),
      used === null || of === null || of === 0 ? '' : share(used / of),
      isUsedUp ? `used up${until === '' ? '' : `, ${until}`}` : until,
    ]),
    undefined,
    most,
  );
}
