import classNames from 'classnames/bind';
import { type ReactNode, useId, useState } from 'react';
import type { AgentState, FoundProgram } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { bytes } from '../../app/words/numbers.ts';
import { Button, LinkButton } from './button.tsx';
import styles from './claude-program.module.css';
import { Dialog } from './dialog.tsx';
import { Info, Passed } from './icons.tsx';
import { rich } from './rich.tsx';

const css = classNames.bind(styles);

type Source = 'own' | 'fetched' | 'file';

interface ProgramChoiceProps {
  claude: AgentState;
  /** Why the last choice was not taken: what happened, and more about it. */
  failure: { title: string; text: string } | null;
  /** Claude Code may ask Anthropic about pages, or searches are Anthropic's. */
  asksAnthropic: boolean;
  choose: (from: 'own' | 'fetched') => void;
  stop: () => void;
  chooseFile: (() => void) | null;
  /** Takes the copy away; null: not from here. */
  remove: (() => void) | null;
  explain: () => void;
}

/** Where Claude Code of sessions comes from: the person's own, a copy, or a file. */
export function ProgramChoice(props: ProgramChoiceProps) {
  const { claude, failure, asksAnthropic, choose, stop, chooseFile, remove, explain } = props;
  const { sources, fetching } = claude;
  const name = useId();
  const [picked, setPicked] = useState<Source | null>(null);
  if (sources === null) return null;
  const { own, file, copy, leaderBytes, oldest } = sources;
  const isOwnUsable = own !== null && own.problem === null;
  const usual = sources.chosen ?? (isOwnUsable || copy === null ? 'own' : 'fetched');
  const chosen = fetching?.from ?? picked ?? usual;
  const running =
    fetching === null ? null : t('Fetching, {received}', { received: amount(fetching.received, fetching.total) });
  const at = (source: Source): ReactNode => (chosen === source ? running : null);
  const radio = (source: Source) => ({
    ...{ name, checked: chosen === source, disabled: fetching !== null },
    onChange: () => setPicked(source),
  });
  const needsFetch = chosen === 'fetched' && copy !== null && copy.bytes > 0;
  const canUse = chosen === 'own' ? isOwnUsable : chosen === 'fetched' && copy !== null;
  return (
    <div>
      <fieldset className={css('sources')} aria-label={t('Where Claude Code comes from')} aria-busy={fetching !== null}>
        <SourceRow
          title={t('The claude on this machine')}
          radio={radio('own')}
          state={at('own') ?? <FoundWords found={own} />}
        >
          <OwnWords own={own} oldest={oldest} />
        </SourceRow>
        {copy !== null && (
          <SourceRow
            title={t('A copy that Jumpseat fetches')}
            radio={radio('fetched')}
            state={
              at('fetched') ??
              (copy.isHere ? <Tick>{t('Ready, {version}', { version: copy.version })}</Tick> : bytes(copy.bytes))
            }
          >
            {t(
              'Version {version} from the npm registry, checked against the published checksum. It is stored apart from yours and can be removed at any time.',
              { version: copy.version },
            )}
          </SourceRow>
        )}
        {file !== null && (
          <SourceRow title={t('The file that you chose')} radio={radio('file')} state={<FoundWords found={file} />}>
            {rich('<place></place>. You update it; Jumpseat changes nothing in it.', {
              place: () => <PlaceWords path={file.path} />,
            })}
          </SourceRow>
        )}
      </fieldset>
      {failure !== null && fetching === null && (
        <p className={css('program-failure')} role="alert">
          <strong>{failure.title}</strong> {failure.text}
        </p>
      )}
      <div className={css('program-actions', 'in-row')}>
        {fetching === null ? (
          <Button
            look="primary"
            size="large"
            disabled={!canUse}
            onClick={() => {
              if (chosen !== 'file') choose(chosen);
            }}
          >
            {failure !== null && needsFetch ? t('Try again') : needsFetch ? t('Fetch and use') : t('Use this one')}
          </Button>
        ) : (
          <Button size="large" onClick={stop}>
            {t('Cancel')}
          </Button>
        )}
        {chooseFile !== null && fetching === null && (
          <LinkButton alone onClick={chooseFile}>
            {t('Choose a file…')}
          </LinkButton>
        )}
        {remove !== null && copy?.isHere === true && (
          <LinkButton alone onClick={remove}>
            {t('Remove the copy')}
          </LinkButton>
        )}
      </div>
      <div className={css('program-terms', 'small', 'muted')}>
        <Info size={16} />
        <p>
          {asksAnthropic
            ? t(
                'Claude Code is made by Anthropic and comes under its own terms. Requests go to Copilot through the proxy on this machine.',
              )
            : t(
                'Claude Code is made by Anthropic and comes under its own terms. Requests go to Copilot through the proxy on this machine; nothing is sent to Anthropic.',
              )}{' '}
          {leaderBytes > 0 &&
            t('Anthropic’s Agent SDK, which leads it, is fetched with it: {size}.', { size: bytes(leaderBytes) })}{' '}
          <LinkButton onClick={explain}>{t('Learn more')}</LinkButton>
        </p>
      </div>
    </div>
  );
}

interface SourceRowProps {
  title: string;
  radio: { name: string; checked: boolean; disabled: boolean; onChange: () => void };
  state: ReactNode;
  children: ReactNode;
}

function SourceRow({ title, radio, state, children }: SourceRowProps) {
  const status = useId();
  const words = useId();
  return (
    <label className={css('source')}>
      <input type="radio" aria-label={title} aria-describedby={`${status} ${words}`} {...radio} />
      <b>{title}</b>
      <span id={status} className={css('source-state', 'muted', 'figures')}>
        {state}
      </span>
      <p id={words}>{children}</p>
    </label>
  );
}

function FoundWords({ found }: { found: FoundProgram | null }) {
  if (found === null) return <>{t('Not found')}</>;
  if (found.problem === 'silent') return <>{t('It named no version')}</>;
  if (found.problem === 'too-old') return <>{t('{version}, too old', { version: found.version ?? '' })}</>;
  return <Tick>{t('Found, {version}', { version: found.version ?? '' })}</Tick>;
}

function OwnWords({ own, oldest }: { own: FoundProgram | null; oldest: string }) {
  if (own === null) return <>{t('There’s no claude on your PATH.')}</>;
  if (own.problem !== null) return <>{t('{oldest} or newer is needed. Run "claude update".', { oldest })}</>;
  return (
    <>
      {rich('<place></place>. You update it; Jumpseat changes nothing in it.', {
        place: () => <PlaceWords path={own.path} />,
      })}
    </>
  );
}

function Tick({ children }: { children: ReactNode }) {
  return (
    <span className={css('source-ok', 'in-row')}>
      <Passed size={14} />
      {children}
    </span>
  );
}

/** `41 of 68.2 MB` */
export function amount(received: number, total: number | null): string {
  if (total === null) return '…';
  const whole = bytes(total);
  const unit = whole.endsWith('GB') ? 1_000_000_000 : whole.endsWith('MB') ? 1_000_000 : 1_000;
  return t('{received} of {whole}', { received: Math.floor(received / unit), whole });
}

/** What it means to run Claude Code here: whose it is, and what goes where. */
export function ProgramWords({ asksAnthropic, close }: { asksAnthropic: boolean; close: () => void }) {
  return (
    <Dialog title={t('Claude Code in this window')} action={null} close={close}>
      <p>
        {t(
          'Claude Code and its Agent SDK are Anthropic’s. Only Anthropic may distribute them, so Jumpseat fetches them from this machine’s npm registry after you agree. The licence is stored with the copy.',
        )}
      </p>
      <p>
        {t(
          'Each session has a key of its own, which opens the proxy on this machine and ends with the session. Settings that would send it or your prompts to another provider are blank in these sessions. Telemetry, error reports and updates of Claude Code are off in them.',
        )}
      </p>
      <p>
        {asksAnthropic && (
          <>
            {t(
              'You let Anthropic be asked about pages or searches: it gets their addresses or words, and no prompts.',
            )}{' '}
          </>
        )}
        {t('Commands that you allow and servers of your own reach what they like.')}
      </p>
    </Dialog>
  );
}

/** A path of this machine, with the person's own folder as `~`. */
export function PlaceWords({ path }: { path: string }) {
  const short = path.replace(/^(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^\\/]+(?=[\\/]|$)/, '~');
  return (
    <span className="mono" title={path}>
      {short}
    </span>
  );
}
