import classNames from 'classnames/bind';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { t } from '../../../../app/language/translate.ts';
import { grouped } from '../../../../app/words/numbers.ts';
import { IconButton } from '../../../parts/button.tsx';
import { isNowhere } from '../../../parts/focus.ts';
import { ChevronDown, ChevronUp, Close, Search } from '../../../parts/icons.tsx';
import { isOverlaid } from '../../../parts/shortcuts.ts';
import { composerField } from '../../composer/open-session.ts';
import { isKey, sessionShortcuts, useKeyTitles } from '../../session-shortcuts.ts';
import styles from '../transcript.module.css';
import type { Find } from './use-find.ts';

const css = classNames.bind(styles);

/** Looks for words in the conversation. Enter and F3 lead on, with Shift back, Esc closes it. */
export function FindBar({ find }: { find: Find }) {
  const field = useRef<HTMLInputElement>(null);
  /** Where the focus was: it goes back there, or to the message field where that was nowhere or is gone. */
  const before = useRef<Element | null>(null);
  const { words, asked } = find;
  // Asked for again, it takes the focus again; found from the list, the conversation is read.
  useLayoutEffect(() => {
    if (asked === null) return;
    const { activeElement } = document;
    if (activeElement?.closest('search') == null) before.current = activeElement;
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  const close = (): void => {
    find.close();
    const at = before.current;
    if (at instanceof HTMLElement && at.isConnected && !isNowhere(at)) at.focus({ preventScroll: true });
    // Without a field the transcript has it, which scrolls by keys.
    else composerField()?.focus();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter') (event.shiftKey ? find.back : find.on)();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { titled } = useKeyTitles();
  const isNone = find.count === 0;
  return (
    <search className={css('find-bar')} aria-label={t('Find in conversation')}>
      <Search size={14} />
      <input
        ref={field}
        type="text"
        aria-label={t('Find in conversation')}
        placeholder={t('Find in conversation')}
        value={words}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => find.look(target.value)}
        onKeyDown={press}
      />
      <span className={css('find-count', 'figures')} role="status">
        {countWords(find)}
      </span>
      <IconButton
        label={t('Previous')}
        {...titled(t('Previous'), sessionShortcuts.view.findBefore)}
        icon={<ChevronUp size={14} />}
        disabled={isNone}
        onClick={find.back}
      />
      <IconButton
        label={t('Next')}
        {...titled(t('Next'), sessionShortcuts.view.findNext)}
        icon={<ChevronDown size={14} />}
        disabled={isNone}
        onClick={find.on}
      />
      <IconButton label={t('Close')} title={t('Close (Esc)')} icon={<Close size={14} />} onClick={close} />
    </search>
  );
}

function countWords({ words, count, now, isLooking }: Find): string {
  if (words.trim() === '') return '';
  const more = isLooking ? '…' : '';
  if (count === 0) return isLooking ? t('Looking…') : t('Not found');
  return `${t('{now} of {count}', { now: now < 0 ? '–' : grouped(now + 1), count: grouped(count) })}${more}`;
}

/** Ctrl/Cmd+F, F3 and Shift+F3, wherever the focus is. */
export function useFindKeys(find: Find, open: (() => void) | undefined): void {
  const latest = useRef({ find, open });
  latest.current = { find, open };
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      const { find, open } = latest.current;
      if (open === undefined || isOverlaid()) return;
      const isOn = isKey(event, sessionShortcuts.view.findNext);
      const isBack = isKey(event, sessionShortcuts.view.findBefore);
      if (isKey(event, sessionShortcuts.view.find) || ((isOn || isBack) && !find.isOpen)) open();
      else if (isOn) find.on();
      else if (isBack) find.back();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
