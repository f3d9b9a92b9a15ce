import classNames from 'classnames/bind';
import { type ReactNode, useCallback } from 'react';
import type { Attempt, Exchange } from '../../../app/api/exchange.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { inShownLanguage } from '../../../app/language/remembered.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { standingOf } from '../../../app/words/account.ts';
import { chargeSentence, dollars, isNeverSent, tokenLines } from '../../../app/words/charge.ts';
import { contextOfRequest } from '../../../app/words/context.ts';
import { initiatorParts, retryWords } from '../../../app/words/exchange-cells.ts';
import { otherStatusWords } from '../../../app/words/failures.ts';
import { billedCredits } from '../../../app/words/numbers.ts';
import { whenInWords } from '../../../app/words/own-limits.ts';
import { type Change, changesByOrigin } from '../../../app/words/request-changes.ts';
import { capital, withoutSpeaker } from '../../../app/words/text.ts';
import { exactDuration } from '../../../app/words/times.ts';
import { marksAreOff, why } from '../../../app/words/why.ts';
import { LinkButton } from '../../parts/button.tsx';
import { ContextTable } from '../../parts/context-table.tsx';
import { rich } from '../../parts/rich.tsx';
import { useAsked } from '../../state/asked.ts';
import { useClientNames } from '../../state/client-names.ts';
import { folderOf } from '../../state/log/row.ts';
import { useApp, useServices } from '../../state/services.ts';
import { Arrow, initiatorIcons } from '../cells.tsx';
import styles from './detail.module.css';
import { KeyValues } from './key-values.tsx';
import { SearchBox } from './search-box.tsx';

const css = classNames.bind(styles);

/** Why it was whose, what it cost, what was changed, where it went, what it belongs to. */
export function Overview({
  exchange,
  showOnly,
}: {
  exchange: Exchange;
  showOnly: (key: 'session' | 'prompt') => void;
}) {
  return (
    <>
      <ErrorBox exchange={exchange} />
      <WhyBox exchange={exchange} />
      <ChargeBox exchange={exchange} />
      <ContextBox exchange={exchange} />
      <SearchBox exchange={exchange} />
      <ChangesBox exchange={exchange} />
      <RouteBox exchange={exchange} />
      <BelongsBox key={exchange.id} exchange={exchange} showOnly={showOnly} />
    </>
  );
}

function ErrorBox({ exchange }: { exchange: Exchange }) {
  const { failure, outcome } = exchange;
  if (failure === null || outcome === 'cancelled') return null;
  const { clientMessage: reported } = failure;
  const isStep = outcome === 'declined';
  const otherStatus = otherStatusWords(exchange);
  // Without credits Copilot says no more than the client was told, with when they are back.
  const isOnlyReported = reported !== null && failure.status === 402;
  const who = {
    jumpseat: 'Jumpseat',
    copilot: 'Copilot',
    github: 'GitHub',
    network: t('The network'),
    client: t('The client'),
    vscode: 'VS Code',
  };
  return (
    <section className={css('detail-section')}>
      <h3>{isStep ? t('Intended, no error') : t('Error')}</h3>
      <div className={css('box', { 'error-box': !isStep })}>
        <p>
          <b>{who[failure.source]}</b> <span className="mono">{failure.code}</span>
        </p>
        <p className={css('said')}>
          {isOnlyReported ? capital(withoutSpeaker(inShownLanguage(reported))) : inShownLanguage(failure.message)}
        </p>
        {otherStatus !== null && <p className="muted">{otherStatus}</p>}
        {!isOnlyReported && reported !== null && reported !== failure.message && (
          <p className="muted">
            {rich('Answer to the client: {answer}', {
              answer: <span className={css('said')}>{inShownLanguage(reported)}</span>,
            })}
          </p>
        )}
        {failure.source === 'copilot' && reported === null && (
          <p className="muted">{t('Copilot’s own words are only in recorded bodies, under Response.')}</p>
        )}
      </div>
    </section>
  );
}

function WhyBox({ exchange }: { exchange: Exchange }) {
  const said = why(exchange);
  const parts = initiatorParts(exchange);
  const { quota } = useApp();
  if (said === null || parts === null) return null;
  const Icon = initiatorIcons[parts.icon];
  const same = exchange.initiator === 'agent' && quota?.world === 'credits';
  return (
    <section className={css('detail-section')}>
      <h3>{exchange.initiator === 'user' ? t('Why user') : t('Why agent')}</h3>
      <div className="box" title={exchange.reason?.rule}>
        <p className={css('why-title', 'in-row', { 'by-user': exchange.initiator === 'user' })}>
          <Icon size={16} />
          {said.title}
        </p>
        {said.sentence !== '' && <p className="muted">{said.sentence}</p>}
        {marksAreOff(exchange) && (
          <p className="muted">{t('Marks are off. Copy the lines for Claude Code again to turn them on.')}</p>
        )}
        {same && <p className="muted">{t('On your plan the initiator doesn’t change the charge.')}</p>}
      </div>
    </section>
  );
}

function ChargeBox({ exchange }: { exchange: Exchange }) {
  const { charge } = exchange;
  const { lines, note } = tokenLines(charge);
  const billed = charge.kind === 'billed' && charge.nanoAiu !== null && lines.length > 0;
  const said = chargeSentence(exchange);
  return (
    <section className={css('detail-section')}>
      <h3>{t('Charge')}</h3>
      {billed ? (
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('Tokens')}</th>
              <th scope="col">{t('Count')}</th>
              <th scope="col">{t('Per million')}</th>
              <th scope="col">{t('Credits')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.name}>
                <th scope="row">{line.name}</th>
                <td>{line.count}</td>
                <td className="muted">{line.perMillion}</td>
                <td>{line.credits}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                {charge.partial ? t('Billed until it ended early') : t('Billed, as reported by Copilot')}{' '}
                <span className="muted">({dollars(charge.nanoAiu ?? 0)})</span>
              </th>
              <td>{billedCredits(charge.nanoAiu ?? 0)}</td>
            </tr>
          </tfoot>
        </table>
      ) : (
        <p className={css('sentence')}>
          <b>{said.word}</b> {said.sentence}
        </p>
      )}
      {note !== null && <p className="muted small">{note}</p>}
    </section>
  );
}

function ContextBox({ exchange }: { exchange: Exchange }) {
  const { bridge } = useServices();
  const models = useAsked(useCallback(async () => (await bridge.models()).models, [bridge])).asked.last ?? [];
  const context = contextOfRequest(exchange, models);
  if (context === null) return null;
  return (
    <section className={css('detail-section')} aria-label={t('Context')}>
      <h3>
        {t('Context')} <span className="light">· {context.total}</span>
      </h3>
      <ContextTable context={context} />
    </section>
  );
}

function ChangesBox({ exchange }: { exchange: Exchange }) {
  const { ofRules, toFit } = changesByOrigin(exchange.fits);
  const none = ofRules.length > 0 ? t('Nothing else was changed.') : t('Nothing was changed.');
  return (
    <>
      {ofRules.length > 0 && <ChangeList title={t('Changed by your rules')} made={ofRules} />}
      <ChangeList title={t('Changed to fit Copilot')} made={toFit}>
        <p className={css('sentence')}>{isNeverSent(exchange) ? t('Nothing was sent.') : none}</p>
      </ChangeList>
    </>
  );
}

/** `children`: what stands there where nothing was changed. */
function ChangeList({ title, made, children }: { title: string; made: readonly Change[]; children?: ReactNode }) {
  return (
    <section className={css('detail-section')} aria-label={title}>
      <h3>
        {title} {made.length > 0 && <span className="light">· {made.length}</span>}
      </h3>
      {made.length === 0 ? (
        children
      ) : (
        <ul className={css('box', 'changes')}>
          {made.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a request does not change.
            <ChangeLine key={index} change={change} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ChangeLine({ change: { verb, field, before, after, count, because } }: { change: Change }) {
  return (
    <li>
      <span className={css('verb')}>{translated(verb)}</span>
      <div>
        <p className="mono">
          {before === null && verb === 'Removed' ? <del>{field}</del> : field}
          {before !== null && (
            <>
              : <del>{before}</del>
              <Arrow>→</Arrow>
              <ins>{after}</ins>
            </>
          )}
          {count > 1 && <span className="muted"> ×{count}</span>}
        </p>
        {because !== '' && <p className="muted small">{because}</p>}
      </div>
    </li>
  );
}

const pathWords: Readonly<Record<NonNullable<Exchange['path']>, Message>> = {
  '/v1/messages': msg('Native Messages'),
  '/v1/messages/count_tokens': msg('Native token counting'),
  '/chat/completions': msg('Chat Completions'),
  '/responses': msg('Responses'),
  '/embeddings': msg('Embeddings'),
};

function pathText(path: NonNullable<Exchange['path']>, streamed: boolean): string {
  const words = translated(pathWords[path]);
  return streamed ? t('{path}, streamed', { path: words }) : t('{path}, in one piece', { path: words });
}

function RouteBox({ exchange }: { exchange: Exchange }) {
  const { account } = useApp();
  const { path, streamed } = exchange;
  const host = account.kind === 'signed-in' && account.apiHost !== null ? account.apiHost : 'Copilot';
  const isSent = path !== null && !isNeverSent(exchange);
  const sentAs = exchange.attempts.at(-1)?.sentAs;
  return (
    <section className={css('detail-section')}>
      <h3>{t('Route')}</h3>
      <KeyValues
        entries={[
          { name: t('Asked for'), value: exchange.askedModel ?? '–', mono: true },
          isSent ? { name: t('Ran on'), value: exchange.servedModel ?? '–', mono: true } : null,
          { name: t('Sent to'), value: isSent ? `${host}${path}` : t('Never sent'), mono: isSent },
          isSent ? { name: t('Path'), value: pathText(path, streamed) } : null,
          sentAs === undefined ? null : { name: t('Sent as'), value: <SentAs sentAs={sentAs} /> },
          { name: t('Attempts'), value: <Attempts attempts={exchange.attempts} /> },
        ]}
      />
    </section>
  );
}

function SentAs({ sentAs }: { sentAs: string }) {
  return (
    <>
      {sentAs}
      <p className="muted small">{translated(standingOf(sentAs))}</p>
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length <= 1) return attempts.length;
  return (
    <ol>
      {attempts.map(({ at, status, retriedBecause }) => (
        <li key={at}>
          <span className="figures">{exactDuration(at)}</span> {status ?? t('no answer')}
          {retriedBecause !== null && <span className="muted"> · {retryWords(retriedBecause)}</span>}
        </li>
      ))}
    </ol>
  );
}

function BelongsBox({ exchange, showOnly }: { exchange: Exchange; showOnly: (key: 'session' | 'prompt') => void }) {
  const { client, key, account, rule, session, prompt, agentId, agentType, upstreamRequestIds } = exchange;
  const copilotIds = upstreamRequestIds.join('\n');
  const { name, title } = useClientNames([client])(client);
  const { bridge } = useServices();
  const folders = useAsked(useCallback(() => bridge.sessionFolders(), [bridge])).asked.last ?? {};
  const folder = folderOf(exchange, folders);
  const subagent = [agentType, agentId].filter((part) => part !== null).join(' ');
  return (
    <section className={css('detail-section')}>
      <h3>{t('Belongs to')}</h3>
      <KeyValues
        entries={[
          { name: t('Client'), value: name, mono: name === client, copy: client },
          ...(key === undefined ? [] : [{ name: t('Key'), value: key, copy: key }]),
          ...(account === undefined ? [] : [{ name: t('Account'), value: account, copy: account }]),
          rule === undefined ? null : { name: t('Rule'), value: whenInWords(rule) },
          title === null ? null : { name: t('Session'), value: title },
          session === null
            ? null
            : { name: title === null ? t('Session') : t('Session id'), value: session, mono: true, copy: session },
          folder === null ? null : { name: t('Folder'), value: folder, mono: true, copy: folder },
          prompt === null ? null : { name: t('Prompt'), value: prompt, mono: true, copy: prompt },
          subagent === '' ? null : { name: t('Subagent'), value: subagent, mono: true, copy: agentId ?? subagent },
          copilotIds === '' ? null : { name: t('Copilot request'), value: copilotIds, mono: true, copy: copilotIds },
          { name: t('Id'), value: exchange.id, mono: true, copy: exchange.id },
        ]}
      />
      <p className={css('links')}>
        {session !== null && (
          <LinkButton onClick={() => showOnly('session')}>{t('Show all of this session')}</LinkButton>
        )}
        {prompt !== null && <LinkButton onClick={() => showOnly('prompt')}>{t('Show all of this prompt')}</LinkButton>}
      </p>
    </section>
  );
}
