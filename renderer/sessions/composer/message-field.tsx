import classNames from 'classnames/bind';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { SessionCommand } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { isNowhere } from '../../parts/focus.ts';
import { isCommand } from '../../parts/shortcuts.ts';
import type { KnownTemplate, UsedTemplates } from '../templates/known-templates.ts';
import styles from './composer.module.css';
import { mentionsIn, withMention } from './mentions.ts';
import { chosenTemplate, optionId, Suggestions, useSuggestions } from './suggestions.tsx';

const css = classNames.bind(styles);

const noTemplates: readonly KnownTemplate[] = [];

interface MessageFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The composer, which lists are shown over. */
  anchor: HTMLElement | null;
  text: string;
  change: (text: string) => void;
  placeholder: string;
  describedBy: string | undefined;
  commands: readonly SessionCommand[];
  templates: UsedTemplates;
  agent: string;
  files: { paths: readonly string[] | null; ask: () => void };
  /** True if a path in the text exists. */
  isThere: (path: string) => boolean;
  /** A command was chosen from the list, with what stands behind it. Answers whether nothing more is to be done. */
  takeCommand: (name: string, rest: string) => boolean;
  /** A template was chosen from the list, with what stands behind its name. */
  takeTemplate: (template: KnownTemplate, rest: string) => void;
  /** An earlier prompt is shown: its words open no list, and the arrows go on to others. */
  isBrowsing: boolean;
  /** Answers whether the key was ours. */
  press: (key: Key) => boolean;
  /** Answers whether what was pasted was taken, and isn't to be put into the text. */
  paste: (data: DataTransfer) => boolean;
}

/** The field of the next message, with the lists that `/` and `@` open. Tab always goes on. */
export function MessageField(props: MessageFieldProps) {
  const { field, anchor, text, change, files, commands, templates, agent, takeCommand } = props;
  const [caret, setCaret] = useState<number | null>(null);
  /** Position for the caret once the changed text is in the field. */
  const wantedCaret = useRef<number | null>(null);
  const list = useId();
  const suggested = useSuggestions({
    ...{ text, caret: props.isBrowsing ? null : caret, commands, agent, files },
    templates: templates.all ?? noTemplates,
  });
  const isTyping = suggested?.kind === 'commands';
  const { ask } = templates;
  useEffect(() => {
    if (isTyping) ask();
  }, [isTyping, ask]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text has to be in the field.
  useLayoutEffect(() => {
    if (wantedCaret.current === null) return;
    field.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = null;
  }, [text, field]);

  // A field that comes anew holds what was written before: one goes on behind it.
  useLayoutEffect(() => {
    const shown = field.current;
    shown?.setSelectionRange(shown.value.length, shown.value.length);
  }, [field]);

  // It takes the place of a field that had the keyboard, such as that of the new session; it takes it from nothing.
  useEffect(() => {
    if (isNowhere(document.activeElement)) field.current?.focus({ preventScroll: true });
  }, [field]);

  const look = (): void => {
    const shown = field.current;
    const isOne = shown !== null && shown === document.activeElement && shown.selectionStart === shown.selectionEnd;
    setCaret(isOne ? shown.selectionStart : null);
  };
  const choose = (value: string): void => {
    if (suggested === null) return;
    const rest = text.slice(1 + suggested.typed.query.length).replace(/^ /, '');
    const template = chosenTemplate(value, templates.all ?? noTemplates);
    if (template !== null) {
      props.takeTemplate(template, rest);
      return;
    }
    if (suggested.kind === 'commands' && takeCommand(value, rest)) return;
    const next =
      suggested.kind === 'commands'
        ? { text: `/${value} ${rest}`, caret: value.length + 2 }
        : withMention(text, suggested.typed, value);
    wantedCaret.current = next.caret;
    setCaret(next.caret);
    change(next.text);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const key: Key = {
      ...{ key: event.key, shiftKey: event.shiftKey, altKey: event.altKey },
      isCommand: isCommand(event),
      // Some browsers say so by the key's old number alone, at the key that ends it.
      isComposing: event.nativeEvent.isComposing || event.keyCode === 229,
    };
    const isPlain = !key.isComposing && !key.shiftKey && !key.isCommand && !key.altKey;
    if (suggested !== null && isPlain && takeListKey(key.key, suggested.value, suggested.typed.query)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (!props.press(key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Answers whether the key was the list's. */
  const takeListKey = (key: string, value: string | null, query: string): boolean => {
    if (suggested === null) return false;
    if (key === 'Escape') suggested.close();
    else if (key === 'ArrowDown') suggested.step(1);
    else if (key === 'ArrowUp') suggested.step(-1);
    else if (key === 'Enter' && value !== null && value !== query) choose(value);
    else return false;
    return true;
  };

  return (
    <div className={css('composer-text')}>
      <Marks text={text} isThere={props.isThere} />
      <textarea
        ref={field}
        aria-label={t('Message')}
        aria-describedby={props.describedBy}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={suggested === null ? undefined : list}
        aria-activedescendant={
          suggested === null || suggested.count === 0 ? undefined : optionId(list, suggested.marked)
        }
        data-testid="composer"
        rows={2}
        dir="auto"
        placeholder={props.placeholder}
        value={text}
        onChange={(event) => {
          change(event.target.value);
          look();
        }}
        onSelect={look}
        onBlur={() => setCaret(null)}
        onFocus={look}
        onKeyDown={press}
        onPaste={(event: ClipboardEvent) => {
          if (props.paste(event.clipboardData)) event.preventDefault();
        }}
      />
      {suggested !== null && anchor !== null && (
        <Suggestions
          id={list}
          label={suggested.kind === 'commands' ? t('Commands') : t('Files')}
          {...{ anchor, choose }}
          {...{ groups: suggested.groups, marked: suggested.marked, none: suggested.none }}
        />
      )}
    </div>
  );
}

/** Marks the files in the text. It is below the field, with the same text at the same places. */
function Marks({ text, isThere }: Pick<MessageFieldProps, 'text' | 'isThere'>) {
  const parts = useMemo(() => {
    let end = 0;
    const marked = mentionsIn(text)
      .filter(({ path }) => isThere(path))
      .map((mention) => {
        const before = text.slice(end, mention.start);
        end = mention.end;
        return { start: mention.start, before, words: text.slice(mention.start, mention.end) };
      });
    return { marked, rest: text.slice(end) };
  }, [text, isThere]);
  if (parts.marked.length === 0) return null;
  return (
    <div className={css('composer-marks')} aria-hidden="true" dir="auto">
      {parts.marked.map(({ start, before, words }) => (
        <span key={start}>
          {before}
          <mark>{words}</mark>
        </span>
      ))}
      {parts.rest}{' '}
    </div>
  );
}

/** What the session does, as far as sending goes. `starting`: also while it waits in line. */
export type Work = 'idle' | 'running' | 'starting' | 'stopping';

/** How a message goes: at once, after this turn, or into it at its next step. */
export type Way = 'send' | 'queue' | 'steer';

type KeyMeaning =
  | { kind: 'go'; way: Way }
  | { kind: 'stop' }
  | { kind: 'earlier' }
  | { kind: 'later' }
  /** The field does with it what it does with any key. */
  | { kind: 'none' };

export interface Key {
  key: string;
  shiftKey: boolean;
  /** Ctrl, or Cmd on a Mac. */
  isCommand: boolean;
  altKey: boolean;
  /** An input method composes. */
  isComposing: boolean;
}

export interface FieldState {
  work: Work;
  /** There is nothing to send. */
  isBlank: boolean;
  /** The field is empty, or shows an earlier prompt that was not changed. */
  isBrowsing: boolean;
  /** Enter, while a turn runs. */
  enterWhileRunning: 'queue' | 'steer';
}

const nothing: KeyMeaning = { kind: 'none' };

/** What a key in the field means, where no menu is open. */
export function keyMeaning(key: Key, state: FieldState): KeyMeaning {
  if (key.isComposing) return nothing;
  switch (key.key) {
    case 'Enter': {
      if (key.shiftKey || key.altKey) return nothing;
      const way = key.isCommand ? otherWay(state) : enterWay(state);
      return state.isBlank ? nothing : { kind: 'go', way };
    }
    case 'Escape':
      return state.work === 'running' || state.work === 'starting' ? { kind: 'stop' } : nothing;
    case 'ArrowUp':
    case 'ArrowDown':
      if (key.shiftKey || key.altKey || key.isCommand || !state.isBrowsing) return nothing;
      return { kind: key.key === 'ArrowUp' ? 'earlier' : 'later' };
    default:
      return nothing;
  }
}

function enterWay({ work, enterWhileRunning }: Pick<FieldState, 'work' | 'enterWhileRunning'>): Way {
  if (work === 'idle') return 'send';
  return work === 'running' ? enterWhileRunning : 'queue';
}

function otherWay(state: Pick<FieldState, 'work' | 'enterWhileRunning'>): Way {
  if (state.work !== 'running') return enterWay(state);
  return state.enterWhileRunning === 'queue' ? 'steer' : 'queue';
}

/** The one to show: `back` prompts before the newest; null if none was sent, or it is the field's own text. */
export function earlierPrompt(prompts: readonly string[], back: number): string | null {
  return back <= 0 ? null : (prompts.at(-back) ?? null);
}
