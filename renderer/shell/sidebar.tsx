import classNames from 'classnames/bind';
import { t, translated } from '../../app/language/translate.ts';
import { nameInUse, planName, refusedSignIn, refusesSignIn } from '../../app/words/account.ts';
import { quotaFoot, seatNote } from '../../app/words/quota.ts';
import { LinkButton } from '../parts/button.tsx';
import { Failed, Person, Question, Warning } from '../parts/icons.tsx';
import { MenuButton } from '../parts/menu.tsx';
import { Meter } from '../parts/meter.tsx';
import { useSecond, useStalled } from '../parts/now.ts';
import { useActions } from '../state/actions.ts';
import { routeTo, writeRoute } from '../state/routes.ts';
import { useApp, useWindow } from '../state/services.ts';
import { type Flag, navigation, type PlaceEntry } from './places.tsx';
import { ProxyCard } from './proxy-card.tsx';
import styles from './shell.module.css';

const css = classNames.bind(styles);

/** Proxy on top, the places, quota and account at the foot. */
export function Sidebar() {
  const { isDemo } = useApp();
  return (
    <aside className={css('sidebar')} aria-label="Jumpseat">
      <div className={css('brand', 'in-row')}>
        <AppIcon />
        <span>Jumpseat</span>
      </div>
      {isDemo && (
        <p className={css('demo')} role="note">
          <b>{t('Demo')}</b> <span>{t('GitHub and Copilot are simulated. Nothing is billed.')}</span>
        </p>
      )}
      <ProxyCard />
      <nav className={css('places')} aria-label={t('Places')}>
        {navigation.map((entry) => (
          <PlaceLink key={entry.place} entry={entry} />
        ))}
      </nav>
      <div className={css('gap')} />
      <QuotaFoot />
      <AccountFoot />
    </aside>
  );
}

function PlaceLink({ entry: { place, title, icon: Icon, useFlag } }: { entry: PlaceEntry }) {
  const here = useWindow(({ route }) => route.place === place);
  const address = useWindow((state) => writeRoute(routeTo(place, state)));
  const flag = useFlag();
  const name = translated(title);
  return (
    <a
      href={address}
      aria-current={here ? 'page' : undefined}
      aria-label={flag === null ? undefined : t('{name}, {text}', { name, text: flag.text })}
      title={name}
    >
      <Icon size={16} />
      <span className={css('name')}>{name}</span>
      {flag !== null && (
        <span className={css('flag', flag.kind)} data-count={flag.count}>
          <FlagIcon kind={flag.kind} />
        </span>
      )}
    </a>
  );
}

function FlagIcon({ kind }: Pick<Flag, 'kind'>) {
  if (kind === 'question') return <Question size={14} />;
  return kind === 'failure' ? <Failed size={14} /> : <Warning size={14} />;
}

function QuotaFoot() {
  const app = useApp();
  const now = useSecond();
  const thresholds = useWindow(({ preferences }) => preferences?.quotaThresholds);
  const foot = quotaFoot(app, now, thresholds);
  const actions = useActions();
  const stalled = useStalled(foot.kind === 'reading');
  if (foot.kind === 'signed-out') {
    return (
      <div className={css('quota', 'muted')} data-testid="quota">
        {t('Sign in to see your quota.')}
      </div>
    );
  }
  if (foot.kind === 'refused') {
    return (
      <div className={css('quota', 'muted')} data-testid="quota">
        {t('Sign in again to see your quota.')}
      </div>
    );
  }
  if (foot.kind === 'unknown') {
    return (
      <div className={css('quota', 'muted')} data-testid="quota">
        {t('No quota through VS Code.')}
      </div>
    );
  }
  if (foot.kind === 'reading') {
    // GitHub isn't asked while the organization's policy can't be used.
    if (app.warnings.some(({ code }) => code === 'policy')) return null;
    return (
      <div className={css('quota', 'muted')} data-testid="quota">
        {stalled ? t('Quota not available') : t('Reading quota…')}{' '}
        {stalled && <LinkButton onClick={actions.refresh}>{t('Try again')}</LinkButton>}
      </div>
    );
  }
  return (
    <a className={css('quota')} href="#/usage" data-testid="quota" title={seatNote(app) ?? undefined}>
      <span className={css('quota-top')}>
        <b className={foot.stale ? 'figures muted' : 'figures'}>{foot.figure}</b>
        <span className="muted">{foot.unit}</span>
      </span>
      {foot.used !== null && (
        <Meter label={t('Quota left')} text={foot.spokenLeft} share={1 - foot.used} tone={foot.tone} />
      )}
      <span className="muted figures">{foot.line}</span>
    </a>
  );
}

function AccountFoot() {
  const { account, accounts, reach } = useApp();
  const actions = useActions();
  if (reach.kind === 'through-vscode' || account.kind !== 'signed-in') {
    const [name, href, action] =
      reach.kind === 'through-vscode'
        ? [t('Through VS Code'), '#/settings/account', t('Change')]
        : account.kind === 'signing-in'
          ? [t('Signing in…'), '#/sign-in', t('Show code')]
          : [t('Signed out'), '#/sign-in', t('Sign in')];
    return (
      <div className={css('account')}>
        <span className={css('initials')} aria-hidden="true">
          <Person size={14} />
        </span>
        <span className={css('account-text')}>
          <b>{name}</b>
          <a href={href}>{action}</a>
        </span>
      </div>
    );
  }
  const refused = refusedSignIn(account) === null ? null : translated(refusesSignIn);
  const login = account.login ?? (refused === null ? t('Signed in') : t('Sign-in refused'));
  const name = nameInUse(accounts);
  const under = [name === null ? null : login, refused ?? planName(account.plan, account.sku)]
    .filter((part) => part !== null)
    .join(' · ');
  return (
    <div className={css('account')}>
      <span className={css('initials')} aria-hidden="true">
        {login.slice(0, 2).toUpperCase()}
      </span>
      <span className={css('account-text')}>
        <b>{name ?? login}</b>
        {under !== '' && <span className="muted">{under}</span>}
      </span>
      <MenuButton
        label={t('Account {login}', { login })}
        className={css('account-menu')}
        items={[
          {
            label: t('Open Copilot settings on GitHub'),
            run: () => actions.openGithub('/settings/copilot'),
          },
          { label: t('Sign out…'), run: actions.signOut },
        ]}
      />
    </div>
  );
}

function AppIcon() {
  return (
    <svg data-testid="app-icon" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect x="1" y="1" width="30" height="30" rx="7" fill="#1b2438" />
      <path
        d="M8.5 5.5h7.5a2 2 0 0 1 2 2V13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2.4l1-5A2.5 2.5 0 0 1 8.5 5.5z"
        fill="#7cc0ff"
      />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d="M24.5 20v7L13 21.5" stroke="#aeb9c9" strokeWidth="2" />
        <path d="M23 20H8" stroke="#ff8a5c" strokeWidth="4" />
        <path d="M24 7v13" stroke="#f6f8fa" strokeWidth="4" />
      </g>
    </svg>
  );
}
