import type { AppState } from '../../api/state.ts';
import { msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { answerOfRunning, callRunning } from '../../server/running-proxy.ts';
import { budgetRemedy } from '../../words/account.ts';
import { creditAmount, exact, premiumRequests, share } from '../../words/numbers.ts';
import { isPastIncluded } from '../../words/quota.ts';
import { overageWords } from '../../words/status.ts';
import { type BudgetLine, budgetLines } from '../../words/usage.ts';
import { wrongUsage } from '../failure.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';

interface BudgetOptions {
  json?: boolean;
  check?: boolean;
  allowOverage?: boolean;
}

/**
 * `jumpseat budget`: what may be used, and what is. With `--check` 1 where one of them is used up or can't be used, or
 * the next prompt would be refused or held.
 */
export async function budget(surroundings: Surroundings, options: BudgetOptions): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async (opened) => {
    if (options.allowOverage && (options.check || options.json))
      throw wrongUsage(t('--allow-overage decides, --check and --json show: use one after the other.'));
    const state = await known(opened);
    const { overage, problem } = state.health;
    if (options.allowOverage) return allow(opened, state, terminal);
    const now = opened.ports.clock.now();
    const lines = budgetLines(
      state,
      now,
      opened.settings.current().keys.map(({ name }) => name),
    );
    const warnings = state.warnings.filter((warning) => warning.code.startsWith('settings-'));
    // A limit that can't be used isn't in force.
    const isUnused = warnings.some((warning) => warning.code === notInForce);
    const usedUp = lines.filter((line) => line.isUsedUp).map(({ name }) => name);
    const code = options.check && (problem !== null || usedUp.length > 0 || isUnused) ? 1 : 0;
    for (const { text, remedy } of warnings) terminal.err(sentences(text, remedy));
    if (code === 1 && problem === null && usedUp.length > 0)
      terminal.err(sentences(t('Used up: {names}.', { names: usedUp.join(', ') }), raise(state)));
    if (options.json) {
      terminal.out(JSON.stringify({ limits: lines, overage, problem, warnings }, null, 2));
      return code;
    }
    for (const line of lines.length === 0 ? [t('No limit is known.')] : budgetTable(lines, terminal.columns))
      terminal.out(line);
    if (problem !== null) terminal.err(sentences(problem.text, problem.remedy));
    const decided = opened.settings.current().overageDecided;
    if (isPastIncluded(state.quota)) terminal.out(overageWords(overage));
    else if (decided?.allowed && now < decided.until) terminal.out(translated(allowedWords));
    for (const { name, note } of lines) if (note !== null) terminal.out(`${name}: ${note}`);
    for (const { name, pace } of lines) {
      if (pace === null) continue;
      const { forecast, basis } = pace;
      terminal.out(t('{name}: {forecast} {basis}.', { name, forecast, basis }));
    }
    return code;
  });
}

/** What lets the next request through. */
function raise({ health }: AppState): string {
  return health.overage === 'asks' || health.overage === 'refused'
    ? t('To be billed for more today, run "jumpseat budget --allow-overage".')
    : t('Settings → Limits changes your own.');
}

const allowedWords = msg('Until midnight, GitHub may bill more than what is included, as you allowed.');

/** The answer for today, also before it is asked for. */
async function allow(
  { app, settings, ports }: Opened,
  { quota, health }: AppState,
  terminal: Surroundings['terminal'],
): Promise<number> {
  if (quota?.overagePermitted !== true) {
    const { text = '', remedy = translated(budgetRemedy) } = health.problem ?? {};
    terminal.err(sentences(t('Nothing to allow: GitHub bills no more than what is included.'), text, remedy));
    return 1;
  }
  if (settings.current().limits.askBeforeOverage === 'never') {
    terminal.out(t('Nothing to allow: Jumpseat doesn’t ask (limits.askBeforeOverage in settings.json is "never").'));
    return 0;
  }
  const { lock } = ports.paths;
  // The running one knows it at once then.
  const decided = await answerOfRunning(lock, 'decideOverage', true);
  if (!decided?.ok) await app.decideOverage(true);
  terminal.out(translated(allowedWords));
  return 0;
}

/** Asks the running Jumpseat, which reads its quota anew. If none runs, reads the state itself. */
async function known({ app, ports }: Opened): Promise<AppState> {
  await callRunning(ports.paths.lock, 'refresh');
  const running = await callRunning(ports.paths.lock, 'state');
  if (running) return running;
  await app.refresh();
  return app.state();
}

/** Code of the warning that says which limits the settings hold can't be used. */
const notInForce = 'settings-limits';

function budgetTable(lines: readonly BudgetLine[], most: number | undefined): string[] {
  const amount = (value: number | null, unit: string): string =>
    value === null ? '–' : unit === 'credits' ? creditAmount(value) : premiumRequests(value);
  return table(
    [
      { head: t('Limit') },
      { head: t('Used'), align: 'right' },
      { head: t('Of'), align: 'right' },
      { head: t('Share'), align: 'right', spare: 2 },
      { head: t('Action'), spare: 3 },
      { head: '', spare: 1 },
    ],
    lines.map(({ name, used, of, unit, isUsedUp, action, until }) => [
      name,
      amount(used, unit),
      of === null ? t('no limit') : exact(of),
      used === null || of === null || of === 0 ? '' : share(used / of),
      action === null ? '' : t('{action, select, stop {stops} other {warns}}', { action }),
      stateWords({ isUsedUp, action, until }),
    ]),
    undefined,
    most,
  );
}

/** `used up, resets 1 Dec`, and of GitHub's own figure that it is that: ours count what went through Jumpseat. */
function stateWords({ isUsedUp, action, until }: Pick<BudgetLine, 'isUsedUp' | 'action' | 'until'>): string {
  const state = isUsedUp ? (until === '' ? t('used up') : t('used up, {until}', { until })) : until;
  if (action !== null) return state;
  return state === '' ? t('by GitHub’s count') : t('{state}; by GitHub’s count', { state });
}
