import classNames from 'classnames/bind';
import { useMemo, useState } from 'react';
import { msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { bytes, grouped } from '../../../app/words/numbers.ts';
import { cutAt } from '../../../app/words/text.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Check, Circle, Ring } from '../../parts/icons.tsx';
import type { Step, StepContent, Task } from '../state/conversation.ts';
import { firstLines, lastLines, lineCount } from '../text/lines.ts';
import { useIsSought } from '../text/long-text.tsx';
import { Terminal } from '../text/terminal.tsx';
import text from '../text/text.module.css';
import styles from './steps.module.css';

const css = classNames.bind({ ...text, ...styles });

const linesShown = 12;
/** Most characters shown of a longer output; a single line can be megabytes. */
const mostShown = 20_000;
/** More than this is never put into the page; `Copy output` has all. */
const mostWhole = 500_000;

interface OutputProps {
  text: string;
  /** The end that is shown at first. */
  end: 'first' | 'last';
  cuts?: Step['cuts'];
}

/** What a tool printed: a part of it at first, in colours, in a field of its own. */
export function Output({ text: given, end, cuts = [] }: OutputProps) {
  // In this Claude Code tells the model that it refused a call.
  const refusal = /^<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/.exec(given)?.[1] ?? null;
  const text = refusal ?? given;
  const [isAsked, setAsked] = useState(false);
  const lines = useMemo(() => lineCount(text), [text]);
  const part = useMemo(() => partOf(text, end), [text, end]);
  const [isInText, isInPart] = [useIsSought(text), useIsSought(part)];
  const isWhole = isAsked || (isInText && !isInPart);
  const shown = isWhole ? text.slice(0, cutAt(text, mostWhole)) : part;
  const isCut = part.length < text.trimEnd().length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre className={css({ whole: isWhole, words: refusal !== null })} tabIndex={0}>
        <Terminal text={shown} />
      </pre>
      {isCut && !isWhole && (
        <p className={css('cut')}>
          {lines > linesShown ? partWords(end, lines) : t('A part of {size}.', { size: bytes(text.length) })}{' '}
          <LinkButton onClick={() => setAsked(true)}>{t('Show all')}</LinkButton>
        </p>
      )}
      {isWhole && shown.length < text.length && (
        <p className={css('cut')}>
          {t('The first {part} of {size}.', { part: bytes(shown.length), size: bytes(text.length) })}
        </p>
      )}
      {cuts.length > 0 && (
        <p className={css('cut')}>
          {t('Cut: {size}, only the beginning is saved.', {
            size: bytes(cuts.reduce((sum, { length }) => sum + length, 0)),
          })}
        </p>
      )}
    </>
  );
}

function partWords(end: 'first' | 'last', all: number): string {
  const lines = grouped(all);
  return end === 'last'
    ? t('Last {count} of {lines} lines.', { count: linesShown, lines })
    : t('First {count} of {lines} lines.', { count: linesShown, lines });
}

function partOf(text: string, end: 'first' | 'last'): string {
  if (end === 'first') {
    const part = firstLines(text, linesShown);
    return part.slice(0, cutAt(part, mostShown));
  }
  const part = lastLines(text, linesShown);
  return part.length > mostShown ? part.slice(-mostShown) : part;
}

const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** CSS pixels of a side; what is larger is not shown. */
const mostPixels = 4_096;

/** Pictures that a tool gave. They are decoded here and never fetched. */
export function ToolImages({ content }: { content: readonly StepContent[] }) {
  return content.map((part, index) =>
    part.type === 'image' && types.has(part.mimeType) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a result keep their order.
      <ToolImage key={index} mimeType={part.mimeType} data={part.data} bytes={part.bytes} />
    ) : null,
  );
}

interface ToolImageProps {
  mimeType: string;
  data: string;
  /** Size, if it was too large to store. */
  bytes?: number | undefined;
  small?: boolean;
}

export function ToolImage({ mimeType, data, bytes: size, small = false }: ToolImageProps) {
  const [isRefused, setRefused] = useState(false);
  if (size !== undefined)
    return <p className={css('cut')}>{t('An image of {size} isn’t saved.', { size: bytes(size) })}</p>;
  if (isRefused || !types.has(mimeType)) return <p className={css('cut')}>{t('This image can’t be shown.')}</p>;
  return (
    <img
      className={css(small ? 'thumb' : 'tool-image')}
      src={`data:${mimeType};base64,${data}`}
      alt={small ? t('Attached image') : t('Image of the tool')}
      onError={() => setRefused(true)}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
        if (Math.max(naturalWidth, naturalHeight) > mostPixels) setRefused(true);
      }}
    />
  );
}

const names = { pending: msg('to do'), running: msg('in work'), done: msg('done') } as const;
const icons = { pending: Circle, running: Ring, done: Check } as const;

export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <ul className={css('tasks')}>
      {tasks.map(({ text, state }, index) => {
        const Icon = icons[state];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list of tasks that has ended.
          <li key={index} className={css({ done: state === 'done' })}>
            <Icon size={14} />
            <span>
              {text}
              <span className="sr">, {translated(names[state])}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
