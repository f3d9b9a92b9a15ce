import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { BodyView, Recorded } from '../../../app/api/recording.ts';
import { msg } from '../../../app/language/messages.ts';
import { t } from '../../../app/language/translate.ts';
import { Button } from '../../parts/button.tsx';
import { Lock } from '../../parts/icons.tsx';
import { askToRecord } from '../../state/questions.ts';
import { useApp, useServices, useWindow } from '../../state/services.ts';
import { type BodyChoice, BodyPanel } from './body-view.tsx';
import styles from './detail.module.css';
import { type KeyValue, KeyValues } from './key-values.tsx';
import { answerShape, requestShape } from './shape-words.ts';
import { useRecorded } from './use-recorded.ts';

const css = classNames.bind(styles);

const requestViews: readonly BodyChoice[] = [
  { name: 'sent', label: msg('Sent to Copilot'), empty: msg('Nothing was sent to Copilot.') },
  { name: 'received', label: msg('Received by Jumpseat'), empty: msg('The body was empty.') },
  { name: 'difference', label: msg('Difference'), empty: msg('Nothing was changed.') },
];

const responseViews: readonly BodyChoice[] = [
  { name: 'assembled', label: msg('Assembled'), empty: msg('Nothing has come yet.') },
  { name: 'events', label: msg('Events'), empty: msg('Nothing has come yet.') },
  { name: 'returned', label: msg('Jumpseat’s answer'), empty: msg('Jumpseat wrote no answer of its own.') },
];

export function RequestTab({ exchange }: { exchange: Exchange }) {
  const recorded = useRecorded(exchange);
  return (
    <>
      <Body
        exchange={exchange}
        recorded={recorded}
        views={requestViews.filter(({ name }) => isReturned(exchange, name))}
      />
      <Shape entries={requestShape(exchange)} />
    </>
  );
}

export function ResponseTab({ exchange }: { exchange: Exchange }) {
  const recorded = useRecorded(exchange);
  return (
    <>
      <Body exchange={exchange} recorded={recorded} views={responseViews} />
      <Shape entries={answerShape(exchange)} />
    </>
  );
}

/** A translated request has nothing in common with the one that came, field by field. */
function isReturned({ api, path }: Exchange, view: BodyView): boolean {
  if (view !== 'difference' || path === null) return true;
  const own = { messages: '/v1/messages', 'count-tokens': '/v1/messages/count_tokens', chat: '/chat/completions' };
  return path === { ...own, responses: '/responses', embeddings: '/embeddings', web: null }[api];
}

function Shape({ entries }: { entries: readonly (KeyValue | null)[] }) {
  return (
    <section className={css('detail-section')}>
      <h3>{t('Shape')}</h3>
      <KeyValues entries={entries} />
    </section>
  );
}

function Body(props: { exchange: Exchange; recorded: Recorded | null; views: readonly BodyChoice[] }) {
  const { exchange, recorded, views } = props;
  const choices = views.filter(({ name }) => recorded?.views.includes(name));
  return (
    <section className={css('detail-section', { wide: choices.length > 0 })}>
      <h3>{t('Body')}</h3>
      {recorded !== null &&
        (choices.length > 0 ? <BodyPanel exchange={exchange} choices={choices} /> : <NoBody recorded={recorded} />)}
    </section>
  );
}

function NoBody({ recorded: { bodies } }: { recorded: Recorded }) {
  const services = useServices();
  const { on } = useApp().recording;
  const limits = useWindow(({ preferences }) => preferences?.bodies ?? null);
  switch (bodies) {
    case 'there':
      return <p className={css('sentence', 'muted')}>{t('No body was recorded.')}</p>;
    case 'room':
      return (
        <Box title={t('Dropped')}>
          {t('This body was dropped to stay under {megabytes} MB.', { megabytes: limits?.megabytes ?? 64 })}
        </Box>
      );
    case 'age': {
      const minutes = limits?.minutes ?? null;
      return (
        <Box title={t('Dropped')}>
          {minutes === null
            ? t('This body was dropped when its time was over.')
            : t('This body was dropped: bodies are saved for {minutes, plural, one {# minute} other {# minutes}}.', {
                minutes,
              })}
        </Box>
      );
    }
    case 'deleted':
      return <Box title={t('Deleted')}>{t('This body was recorded and has been deleted since.')}</Box>;
    case 'none':
      return on ? (
        <Box title={t('Not recorded')}>
          {t('Bodies are recorded now. This request began before that, or in an earlier run.')}
        </Box>
      ) : (
        <Box
          title={t('Not recorded')}
          action={<Button onClick={() => askToRecord(services)}>{t('Record bodies…')}</Button>}
        >
          {t(
            'Jumpseat saves sizes and counts, not the text. To record bodies from now on, turn on body recording. They stay in memory and are gone when you quit.',
          )}
        </Box>
      );
  }
}

function Box({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="box">
      <p className={css('why-title', 'in-row')}>
        <Lock size={16} />
        {title}
      </p>
      <p className="muted">{children}</p>
      {action !== undefined && <p className={css('box-action')}>{action}</p>}
    </div>
  );
}
