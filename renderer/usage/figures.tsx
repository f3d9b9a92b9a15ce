import classNames from 'classnames/bind';
import type { TotalsRow } from '../../app/api/history.ts';
import type { AppState } from '../../app/api/state.ts';
import { t } from '../../app/language/translate.ts';
import { refusedSignIn } from '../../app/words/account.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { grouped, share } from '../../app/words/numbers.ts';
import { amountWords, elsewhere, limitWindow, ownLimitWords, usedFigure } from '../../app/words/usage.ts';
import { LinkButton } from '../parts/button.tsx';
import { Meter } from '../parts/meter.tsx';
import { useStalled } from '../parts/now.ts';
import { useActions } from '../state/actions.ts';
import { Swatch } from './split-chart.tsx';
import styles from './usage.module.css';

const css = classNames.bind(styles);

export type Sums = Pick<
  TotalsRow,
  'requests' | 'user' | 'agent' | 'billed' | 'free' | 'unknown' | 'nanoAiu' | 'premiumRequests'
>;

interface FiguresProps {
  app: AppState;
  now: number;
  sums: Sums;
  world: World;
  /** True if the sums are for GitHub's cycle, so that both can be compared. */
  comparable: boolean;
  /** What was counted in the other world before billing changed: `603 premium requests before 1 Jun 2026`. */
  earlier: string | null;
}

/** GitHub's own figure, and our counts beside it. */
export function Figures({ app, now, sums, world, comparable, earlier }: FiguresProps) {
  const premium = world === 'premium';
  const billedShare =
    sums.requests === 0
      ? t('No requests')
      : t('{share} of {requests, plural, one {# request} other {# requests}}', {
          share: share(sums.billed / sums.requests),
          requests: sums.requests,
        });
  return (
    <section className={css('usage-figures')} aria-label={t('Figures')}>
      <Used app={app} now={now} sums={sums} world={world} comparable={comparable} />
      <div>
        <h2>
          <Swatch kind="billed" />
          {t('Billed')}
        </h2>
        <b className="figure">{grouped(sums.billed)}</b>
        <p>{billedShare}</p>
        {sums.billed > 0 && (
          <p>{premium ? t('{amount}, estimated', { amount: amountWords(world, sums) }) : amountWords(world, sums)}</p>
        )}
        {earlier !== null && <p>{earlier}</p>}
      </div>
      <div>
        <h2>
          <Swatch kind="free" />
          {t('Free')}
        </h2>
        <b className="figure">{grouped(sums.free)}</b>
        <p>{premium ? t('Agent requests and 0× models') : t('Copilot reported 0 credits')}</p>
      </div>
      <div>
        <h2>
          <Swatch kind="unknown" />
          {t('Unknown')}
        </h2>
        <b className="figure">{grouped(sums.unknown)}</b>
        <p>{premium ? t('Multiplier not known') : t('No charge reported')}</p>
      </div>
    </section>
  );
}

function Used({ app, now, sums, world, comparable }: Omit<FiguresProps, 'earlier'>) {
  const actions = useActions();
  const used = usedFigure(app, now);
  const stalled = useStalled(used === null && app.account.kind === 'signed-in');
  if (app.reach.kind === 'through-vscode') {
    return (
      <div>
        <h2>{t('Quota')}</h2>
        <p className={css('figure-absent')}>{t('Not known through VS Code.')}</p>
      </div>
    );
  }
  if (app.account.kind !== 'signed-in') {
    return (
      <div>
        <h2>{t('Quota')}</h2>
        <p className={css('figure-absent')}>{t('Sign in to see your quota.')}</p>
        <p>
          <a href="#/sign-in">{t('Sign in')}</a>
        </p>
      </div>
    );
  }
  if (used === null && refusedSignIn(app.account) !== null) {
    return (
      <div>
        <h2>{t('Quota')}</h2>
        <p className={css('figure-absent')}>{t('Sign in again to see your quota.')}</p>
        <p>
          <a href="#/sign-in">{t('Sign in')}</a>
        </p>
      </div>
    );
  }
  if (used === null) {
    return (
      <div>
        <h2>{t('Quota')}</h2>
        <p className={css('figure-absent')}>{stalled ? t('Quota not available') : t('Reading quota…')}</p>
        <p>{stalled && <LinkButton onClick={actions.refresh}>{t('Try again')}</LinkButton>}</p>
      </div>
    );
  }
  const beside = comparable && world !== 'unknown' ? elsewhere(app.quota, amountOf(world, sums), sums.unknown) : null;
  return (
    <div>
      <h2>{used.label}</h2>
      <p>
        <b className={used.stale ? 'figure muted' : 'figure'}>{used.figure}</b> <span>{used.of}</span>
      </p>
      {used.used !== null && <Meter label={used.label} text={used.spoken} share={used.used} tone={used.tone} />}
      <p className={used.out ? 'bad' : undefined}>{used.line}</p>
      {used.budget !== null && <p>{used.budget}</p>}
      {used.pace !== null && (
        <>
          <p className={css('apart')}>{used.pace.forecast}</p>
          <p>{used.pace.basis}</p>
        </>
      )}
      {beside !== null && <p className={css('apart')}>{beside}</p>}
    </div>
  );
}

function amountOf(world: World, sums: Sums): number {
  return world === 'premium' ? sums.premiumRequests : sums.nanoAiu / 1e9;
}

/** Copilot's own limits, from its last answer. */
export function Limits({ app, now }: { app: AppState; now: number }) {
  return (
    <section className={css('usage-card')} aria-labelledby="usage-limits">
      <h2 id="usage-limits">{t('Copilot limits')}</h2>
      {(['session', 'weekly'] as const).map((kind) => {
        const name = kind === 'session' ? t('5-hour limit') : t('Weekly limit');
        const words = limitWindow(app.usageWindows[kind], now);
        return (
          <div className={css('limit')} key={kind}>
            <p className={css('limit-top')}>
              <span>{name}</span>
              <span className="figures">{words.figure}</span>
            </p>
            {words.used !== null && <Meter label={name} text={words.figure} share={words.used} tone={words.tone} />}
            <p className="muted small">{words.line}</p>
          </div>
        );
      })}
    </section>
  );
}

/** Those of the person's own; nothing where none is set. */
export function OwnLimits({ app, now }: { app: AppState; now: number }) {
  if (app.ownLimits.length === 0) return null;
  return (
    <section className={css('usage-card')} aria-labelledby="usage-own-limits">
      <h2 id="usage-own-limits">{t('Your limits')}</h2>
      {app.ownLimits.map((limit) => {
        const { name, figure, used, tone, line, pace } = ownLimitWords(limit, now);
        return (
          <div className={css('limit')} key={`${name} ${limit.most}`}>
            <p className={css('limit-top')}>
              <span>{name}</span>
              <span className="figures">{figure}</span>
            </p>
            <Meter label={name} text={t('{figure} used', { figure })} share={used} tone={tone} />
            <p className="muted small">{line}</p>
            {pace !== null && <p className="muted small">{`${pace.forecast} ${pace.basis}.`}</p>}
          </div>
        );
      })}
    </section>
  );
}
