import classNames from 'classnames/bind';
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { BodyView } from '../../../app/api/recording.ts';
import type { Message } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { bytes, grouped } from '../../../app/words/numbers.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/choices.tsx';
import { ChevronDown, ChevronUp, Copy } from '../../parts/icons.tsx';
import { isCommand } from '../../parts/shortcuts.ts';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import { BodyText } from './body-text.tsx';
import styles from './detail.module.css';
import { type AskedBody, useBody } from './use-recorded.ts';

const css = classNames.bind(styles);

export interface BodyChoice {
  name: BodyView;
  label: Message;
  /** Why there is nothing to see. */
  empty: Message;
}

/** What was said, in one of several ways: to be read, searched and copied. */
export function BodyPanel({ exchange, choices }: { exchange: Exchange; choices: readonly BodyChoice[] }) {
  const { store, bridge } = useServices();
  const [picked, setPicked] = useState<BodyView | null>(null);
  const [whole, setWhole] = useState<string | null>(null);
  const [wrapped, setWrapped] = useState(true);
  const [words, setWords] = useState('');
  const [count, setCount] = useState(0);
  const [current, setCurrent] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const chosen = choices.find(({ name }) => name === picked) ?? choices[0];
  const view = chosen?.name ?? 'sent';
  const key = `${exchange.id} ${view}`;
  const asked = useBody(exchange, view, whole === key);
  const found = useCallback((places: number): void => {
    setCount(places);
    setCurrent((old) => (old < places ? old : 0));
  }, []);

  const step = (by: 1 | -1): void => setCurrent((old) => (count === 0 ? 0 : (old + by + count) % count));
  const keys = (event: KeyboardEvent<HTMLElement>): void => {
    if (!isCommand(event) || event.shiftKey || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    field.current?.select();
  };
  const typed = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Letters are words here, not keys of the list.
    if (!isCommand(event)) event.stopPropagation();
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') setWords('');
    else return;
    event.preventDefault();
  };
  const copy = async (): Promise<void> => {
    const body = await bridge.recordedBody(exchange.id, view, { whole: true }).catch(() => null);
    if (body !== null) await copyText(store, body.text);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it has the focus.
    <div onKeyDown={keys}>
      <div className={css('body-bar')}>
        <Segmented
          label={t('Show the body')}
          segments={choices.map(({ name, label }) => ({ name, label: translated(label) }))}
          chosen={view}
          choose={setPicked}
        />
        <span className={css('body-tools')}>
          <Button look="quiet" aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)}>
            {t('Wrap lines')}
          </Button>
          <IconButton label={t('Copy body')} icon={<Copy size={16} />} onClick={() => void copy()} />
        </span>
      </div>
      <div className={css('body-find')}>
        <input
          ref={field}
          type="search"
          aria-label={t('Find in this body')}
          placeholder={t('Find in this body')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setCurrent(0);
          }}
          onKeyDown={typed}
        />
        <span className="figures small muted" role="status">
          {words === ''
            ? ''
            : count === 0
              ? t('Nothing found')
              : t('{place} of {count}', { place: grouped(current + 1), count: grouped(count) })}
        </span>
        <IconButton
          label={t('Previous place')}
          icon={<ChevronUp size={16} />}
          disabled={count === 0}
          onClick={() => step(-1)}
        />
        <IconButton
          label={t('Next place')}
          icon={<ChevronDown size={16} />}
          disabled={count === 0}
          onClick={() => step(1)}
        />
      </div>
      <Shown asked={asked} empty={chosen === undefined ? '' : translated(chosen.empty)}>
        {(text) => (
          <BodyText
            label={chosen === undefined ? t('Body, text') : t('{label}, text', { label: translated(chosen.label) })}
            text={text}
            wrapped={wrapped}
            words={words}
            current={current}
            found={found}
          />
        )}
      </Shown>
      {asked.kind === 'there' && asked.body.cut && (
        <p className={css('body-cut', 'in-row', 'muted')}>
          {t('The first 256 kB are shown.')}{' '}
          <Button onClick={() => setWhole(key)}>{t('Show all {size}', { size: bytes(asked.body.bytes) })}</Button>
        </p>
      )}
    </div>
  );
}

function Shown({ asked, empty, children }: { asked: AskedBody; empty: string; children: (text: string) => ReactNode }) {
  switch (asked.kind) {
    case 'asking':
      return null;
    case 'failed':
      return (
        <p className="bad" role="alert">
          {t('The body can’t be read. {text}', { text: asked.text })}
        </p>
      );
    case 'none':
      return <p className={css('sentence', 'muted')}>{empty}</p>;
    case 'there':
      return asked.body.text === '' ? <p className={css('sentence', 'muted')}>{empty}</p> : children(asked.body.text);
  }
}
