import type { App } from '../../app/api/app.ts';
import type { AppEvent } from '../../app/api/events.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { AppState, Failing } from '../../app/api/state.ts';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { t } from '../../app/language/translate.ts';
import { outAmongSeveral, refusedSignIn } from '../../app/words/account.ts';
import { grouped } from '../../app/words/numbers.ts';
import { usedUpLimit } from '../../app/words/own-limits.ts';
import { amountLeft, isPastIncluded, unitName } from '../../app/words/quota.ts';
import { limitedUntil, statusLineWords } from '../../app/words/status.ts';
import { shortened } from '../../app/words/text.ts';

export type TrayIconName =
  | 'tray-on'
  | 'tray-busy'
  | 'tray-waiting'
  | 'tray-warning'
  | 'tray-off'
  | 'tray-signin'
  | 'tray-error';

/**
 * What the icon shows: seat down when a request would work now, folded up with the reason above it when not.
 * @param running requests to show as running; what is over in a moment is not shown
 * @param waits the tooltip while the end waits for work: said first, the picture stays
 * @param figure what the person has pinned
 */
export function trayIcon(
  state: AppState,
  running: number,
  waits: string | null = null,
  figure: string | null = null,
): { name: TrayIconName; tooltip: string } {
  const shown = stateIcon(state, running);
  if (waits !== null) return icon(shown.name, waits);
  if (figure === null) return shown;
  return { ...shown, tooltip: shortened(`${shown.tooltip} · ${figure}`, tooltipLength) };
}

function stateIcon(state: AppState, running: number): { name: TrayIconName; tooltip: string } {
  const { account, proxy, health, quota } = state;
  const limit = usedUpLimit(state.ownLimits);
  const refusing =
    limit?.refusesAll === true ? icon('tray-error', t('Jumpseat: {words}', { words: limit.title })) : null;
  switch (state.status) {
    case 'fatal':
      return icon('tray-error', t('Jumpseat: can’t read its settings'));
    case 'port':
      return icon('tray-error', proxy.kind === 'failed' ? stopped(proxy) : t('Jumpseat: the proxy stopped'));
    case 'signing-in':
      return icon(
        'tray-signin',
        account.kind === 'signing-in'
          ? t('Jumpseat: enter code {code}', { code: account.code.userCode })
          : t('Jumpseat: sign-in needed'),
      );
    case 'account-unknown':
      return icon('tray-error', t('Jumpseat: your account isn’t known'));
    case 'signed-out':
      return icon('tray-signin', signInNeeded(state));
    case 'no-access':
      return icon(
        'tray-error',
        account.kind === 'signed-in' && account.notice !== null
          ? t('Jumpseat: {words}', { words: account.notice.title })
          : t('Jumpseat: no access to Copilot'),
      );
    case 'starting':
      return icon('tray-off', t('Jumpseat: proxy starting'));
    case 'stopping':
      return icon('tray-off', t('Jumpseat: proxy stopping'));
    case 'off':
      return icon('tray-off', t('Jumpseat: proxy off'));
    case 'no-window':
      return icon('tray-error', t('Jumpseat: no window of VS Code serves'));
    case 'auto-only':
      return icon('tray-error', t('Jumpseat: your plan has no model to choose'));
    case 'exhausted':
      return icon(
        'tray-error',
        t('Jumpseat: out of {unit, select, premium {premium requests} other {credits}}', { unit: unitName(quota) }),
      );
    case 'limited':
      return icon(
        'tray-error',
        t(
          'Jumpseat: {kind, select, weekly {Copilot’s weekly limit} session {Copilot’s 5-hour limit} other {Copilot’s limit for your account}} reached',
          { kind: health.limit?.kind ?? 'account' },
        ),
      );
    case 'offline':
      return icon('tray-error', t('Jumpseat: no connection to Copilot'));
    case 'waiting':
      return icon(
        'tray-waiting',
        t('Jumpseat: {count, plural, one {# session waits} other {# sessions wait}} for you', {
          count: state.sessions.waiting,
        }),
      );
    case 'low':
      if (refusing !== null) return refusing;
      if (health.failing !== null) return icon('tray-warning', failingTip(health.failing));
      return icon('tray-warning', isPastIncluded(quota) ? pastTip(quota) : left(state));
    case 'no-keychain':
    case 'busy':
    case 'on':
      if (refusing !== null) return refusing;
      if (health.failing !== null) return icon('tray-warning', failingTip(health.failing));
      if (running > 0)
        return icon(
          'tray-busy',
          t('Jumpseat: {running, plural, one {# request} other {# requests}} running', { running }),
        );
      return icon(
        'tray-on',
        proxy.kind === 'on'
          ? t('Jumpseat: proxy on, {address}', { address: addressOf(proxy.baseUrl) })
          : t('Jumpseat: proxy on'),
      );
  }
}

function pastTip(quota: AppState['quota']): string {
  return t('Jumpseat: past your included {unit, select, premium {premium requests} other {credits}}', {
    unit: unitName(quota),
  });
}

/** Shorter than the menu’s line, which says from whom the status came. */
function failingTip({ count, why, until }: Failing): string {
  if (until !== null) return t('Jumpseat: {words}', { words: limitedUntil(until, Date.now()) });
  return t('Jumpseat: the last {count, plural, one {# request} other {# requests}} failed ({why})', {
    count,
    why: why.replace(' from Copilot', ''),
  });
}

function signInNeeded({ account, accounts }: AppState): string {
  const refused = refusedSignIn(account);
  if (refused !== null) return t('Jumpseat: {words}', { words: refused });
  const several = outAmongSeveral(accounts);
  return several === null
    ? t('Jumpseat: sign-in needed')
    : t('Jumpseat: {name} isn’t signed in', { name: several.name });
}

/** Some desktops cut longer tooltips in the middle of a word. */
const tooltipLength = 63;

function icon(name: TrayIconName, tooltip: string): { name: TrayIconName; tooltip: string } {
  return { name, tooltip: shortened(tooltip, tooltipLength) };
}

function stopped({ code, port }: Extract<AppState['proxy'], { kind: 'failed' }>): string {
  switch (code) {
    case 'port-taken':
      return t('Jumpseat: port {port} is in use', { port: String(port) });
    case 'port-refused':
      return t('Jumpseat: port {port} can’t be used', { port: String(port) });
    case 'already-running':
      return t('Jumpseat: already running elsewhere');
    case 'not-answering':
      return t('Jumpseat: another Jumpseat doesn’t answer');
    case 'home-unusable':
      return t('Jumpseat: its folder can’t be written');
    case 'disk-full':
      return t('Jumpseat: the disk is full');
    case 'stopped':
      return t('Jumpseat: the proxy stopped');
    case 'policy':
      return t('Jumpseat: your organization’s policy can’t be used');
  }
}

function left({ quota }: AppState): string {
  const unit = unitName(quota);
  const amount = quota === null ? null : amountLeft(quota);
  if (quota === null || amount === null)
    return t('Jumpseat: few {unit, select, premium {premium requests} other {credits}} left', { unit });
  return quota.entitlement === null
    ? t('Jumpseat: {left} {unit, select, premium {premium requests} other {credits}} left', { left: amount, unit })
    : t('Jumpseat: {left} of {all} {unit, select, premium {premium requests} other {credits}} left', {
        left: amount,
        all: grouped(Math.floor(quota.entitlement)),
        unit,
      });
}

export const addressOf = (baseUrl: string): string => baseUrl.replace(/^https?:\/\//, '');

/**
 * The picture's file below resources/tray; where the panel is drawn twice as fine, `fine` is the picture of twice the
 * size. macOS colours a template itself and finds the `@2x` file by its name; an ICO holds its sizes.
 * @param dark whether the panel behind it is dark
 */
export function trayIconFiles(
  name: TrayIconName,
  platform: NodeJS.Platform,
  dark: boolean,
): { file: string; fine: string | null } {
  if (platform === 'darwin') return { file: `${name}Template.png`, fine: null };
  const colour = dark ? 'white' : 'black';
  if (platform === 'win32') return { file: `${name}-${colour}.ico`, fine: null };
  return { file: `${name}-${colour}-24.png`, fine: `${name}-${colour}-48.png` };
}

interface FigureDependencies {
  app: Pick<App, 'costOfToday'>;
  chosen: () => Preferences['trayFigure'];
  /** It is another one. */
  changed: () => void;
}

/** The figure that a person has pinned to the tray, in the words of the status line. */
export class PinnedFigure {
  readonly #dependencies: FigureDependencies;
  #today: Awaited<ReturnType<App['costOfToday']>> | null = null;
  #reading: 'no' | 'once' | 'again' = 'no';

  constructor(dependencies: FigureDependencies) {
    this.#dependencies = dependencies;
  }

  /** `2,002 credits left`, `31.07 today`; null if there is none, or it isn’t known. */
  words({ quota, reach }: Pick<AppState, 'quota' | 'reach'>): string | null {
    const figure = this.#dependencies.chosen();
    if (figure === 'none') return null;
    const known = {
      ...{ problem: null, conversation: null, limits: [], today: this.#today },
      quota: reach.kind === 'through-vscode' ? null : quota,
    };
    return inFrontLanguage(() => statusLineWords(known)[figure]);
  }

  /** It costs something to know: it is asked for where a request has ended, or something else is shown. */
  see(event: AppEvent): void {
    if (event.event === 'exchange' ? event.exchange.outcome !== 'running' : event.event === 'state') this.read();
  }

  read(): void {
    // Nothing is asked for who wants none; what is left stands in the state.
    if (this.#dependencies.chosen() !== 'today') return;
    if (this.#reading !== 'no') this.#reading = 'again';
    else void this.#read();
  }

  async #read(): Promise<void> {
    const { app, changed } = this.#dependencies;
    do {
      this.#reading = 'once';
      const today = await app.costOfToday().catch(() => null);
      if (JSON.stringify(today) === JSON.stringify(this.#today)) continue;
      this.#today = today;
      changed();
    } while (this.#isAgain());
    this.#reading = 'no';
  }

  #isAgain(): boolean {
    return this.#reading === 'again';
  }
}
