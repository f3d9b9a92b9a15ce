import classNames from 'classnames/bind';
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { QueuedMessage, Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Clock, Close, Pencil, Reply } from '../../parts/icons.tsx';
import { useAgentWords } from '../state/hooks.ts';
import styles from './composer.module.css';
import { promptLine } from './prompt-blocks.ts';
import { steeringWords } from './sending.ts';

const css = classNames.bind(styles);

interface SteeringLinesProps {
  messages: readonly QueuedMessage[];
  takeBack: (message: QueuedMessage) => void;
}

/** Words for the running turn that the agent has not read yet. */
export function SteeringLines({ messages, takeBack }: SteeringLinesProps) {
  const agent = useAgentWords();
  return messages.map((message) => (
    <div key={message.id} className={css('strip')} data-testid={`steer-${message.id}`}>
      <Reply size={14} />
      <span>{t('Steering')}</span>
      <span className={css('line-words', 'ell')} dir="auto">
        {promptLine(message.prompt)}
      </span>
      <span className={css('muted', 'steering-says', 'ell')}>{steeringWords(agent)}</span>
      <IconButton size="small" label={t('Take back')} icon={<Close size={14} />} onClick={() => takeBack(message)} />
    </div>
  ));
}

interface QueueLinesProps {
  session: Pick<Session, 'queue' | 'isQueuePaused' | 'turnId' | 'problem'>;
  steer: (message: QueuedMessage) => void;
  sendNow: () => void;
  /** Replaces the words of a waiting message. */
  change: (message: QueuedMessage, words: string) => void;
  remove: (message: QueuedMessage) => void;
  order: (ids: string[]) => void;
}

/** Messages that wait, in the order in which they are sent. */
export function QueueLines({ session, order, ...actions }: QueueLinesProps) {
  const { queue, isQueuePaused, turnId, problem } = session;
  const [dragged, setDragged] = useState<string | null>(null);
  if (queue.length === 0) return null;
  const ids = queue.map(({ id }) => id);
  const isWaiting = isQueuePaused && turnId === null;
  const drop = (on: string): void => {
    if (dragged === null) return;
    const next = moved(ids, dragged, ids.indexOf(on) - ids.indexOf(dragged));
    if (next !== null) order(next);
    setDragged(null);
  };
  const press = (event: KeyboardEvent, id: string): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by === undefined || !event.altKey) return;
    event.preventDefault();
    const next = moved(ids, id, by);
    if (next !== null) order(next);
  };
  return (
    <>
      {/* A turn that failed says it with the failure. */}
      {isWaiting && problem === null && (
        <p className={css('queue-waits', 'muted', 'small')} role="status">
          {t('{count, plural, one {# message is queued and waits.} other {# messages are queued and wait.}}', {
            count: queue.length,
          })}
        </p>
      )}
      <ul className={css('queue-lines')} aria-label={t('Queued messages')}>
        {queue.map((message, index) => (
          <li
            key={message.id}
            className={css('strip', { dragged: message.id === dragged })}
            data-testid={`queue-${message.id}`}
            title={t('Counts as a user request')}
            draggable
            onDragStart={(event: DragEvent) => {
              event.dataTransfer.effectAllowed = 'move';
              // Its own type: nothing else takes it.
              event.dataTransfer.setData('application/x-jumpseat-queued', message.id);
              setDragged(message.id);
            }}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              if (dragged !== null) event.preventDefault();
            }}
            onDrop={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              event.stopPropagation();
              drop(message.id);
            }}
            onKeyDown={(event) => press(event, message.id)}
          >
            <QueuedLine
              {...{ message, ...actions }}
              sends={isWaiting && index === 0 ? queue.length : 0}
              canSteer={turnId !== null}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface QueuedLineProps extends Omit<QueueLinesProps, 'session' | 'order'> {
  message: QueuedMessage;
  /** So many messages are sent with this one, itself among them. 0: it can't be sent by hand. */
  sends: number;
  canSteer: boolean;
}

function QueuedLine({ message, steer, sendNow, change, remove, sends, canSteer }: QueuedLineProps) {
  const [isChanging, setChanging] = useState(false);
  const line = promptLine(message.prompt);
  if (isChanging) return <QueuedField {...{ message, change }} close={() => setChanging(false)} />;
  return (
    <>
      <Clock size={14} />
      <span>{t('Queued')}</span>
      <span className={css('line-words', 'ell')} dir="auto" title={line}>
        {line}
      </span>
      {canSteer && (
        <Button size="small" onClick={() => steer(message)}>
          {t('Steer')}
        </Button>
      )}
      {sends > 0 && (
        <Button size="small" onClick={sendNow}>
          {sends === 1 ? t('Send now') : t('Send all {count} now', { count: sends })}
        </Button>
      )}
      <IconButton size="small" label={t('Change')} icon={<Pencil size={14} />} onClick={() => setChanging(true)} />
      <IconButton size="small" label={t('Remove')} icon={<Close size={14} />} onClick={() => remove(message)} />
    </>
  );
}

interface QueuedFieldProps extends Pick<QueuedLineProps, 'message' | 'change'> {
  close: () => void;
}

/** What is written in it counts when it closes by anything but Esc, also because its message is sent meanwhile. */
function QueuedField({ message, change, close }: QueuedFieldProps) {
  const before = textOf(message);
  const [words, setWords] = useState(before);
  const isLeft = useRef(false);
  const keep = (): void => {
    if (!isLeft.current && words.trim() !== '' && words !== before) change(message, words);
    isLeft.current = true;
  };
  const latest = useRef(keep);
  latest.current = keep;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const shown = field.current;
    return () => {
      // In development React takes its effects away and sets them again, while the field stays.
      if (shown?.isConnected !== true) latest.current();
    };
  }, []);
  return (
    <textarea
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: the person asked to change it.
      autoFocus
      className={css('queued-field')}
      aria-label={t('Change the queued message')}
      dir="auto"
      rows={1}
      value={words}
      onFocus={({ currentTarget: { value }, currentTarget }) =>
        currentTarget.setSelectionRange(value.length, value.length)
      }
      onChange={(event) => setWords(event.target.value)}
      onBlur={() => {
        keep();
        close();
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter' && !event.shiftKey) {
          event.preventDefault();
          keep();
          close();
        } else if (event.key === 'Escape') {
          isLeft.current = true;
          close();
        }
        event.stopPropagation();
      }}
    />
  );
}

function textOf({ prompt }: QueuedMessage): string {
  return prompt.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}

/** One of a list at another place: `by` steps from where it was; null if there is no such place. */
export function moved(ids: readonly string[], id: string, by: number): string[] | null {
  const from = ids.indexOf(id);
  const to = from + by;
  if (from === -1 || by === 0 || to < 0 || to >= ids.length) return null;
  const others = ids.filter((one) => one !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}
