// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus and points at its suggestions.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field takes the keys.
// biome-ignore-all lint/a11y/useSemanticElements: the browser has no list that belongs to a text of many lines.

import classNames from 'classnames/bind';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SessionCommand } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { oneLine } from '../../../app/words/text.ts';
import { baseName, parentOf } from '../paths.ts';
import type { KnownTemplate } from '../templates/known-templates.ts';
import { Popup } from './choice-menu.tsx';
import { findCommands, findTemplates, isOfFile, originWords } from './commands.ts';
import styles from './composer.module.css';
import { findPaths, type Typed, typedCommand, typedMention } from './mentions.ts';

const css = classNames.bind(styles);

interface Suggestion {
  /** What is chosen; once in the list. */
  value: string;
  name: string;
  says: string;
  from: string;
}

interface SuggestionGroup {
  /** Null if the list has no headings. */
  heading: string | null;
  suggestions: readonly Suggestion[];
}

interface SuggestionsProps {
  id: string;
  label: string;
  anchor: HTMLElement;
  groups: readonly SuggestionGroup[];
  marked: number;
  choose: (value: string) => void;
  /** Text for an empty list. */
  none: string;
}

/** Suggestions for the word that is being typed. The field keeps the focus. */
export function Suggestions({ id, label, anchor, groups, marked, choose, none }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${marked}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [marked]);
  const shown = groups.filter(({ suggestions }) => suggestions.length > 0);
  let index = -1;
  return (
    <Popup anchor={anchor} align="fill" className={css('composer-suggestions')}>
      <div ref={list} id={id} role="listbox" aria-label={label}>
        {shown.map(({ heading, suggestions }) => (
          <div key={heading ?? ''} role="group" aria-label={heading ?? label}>
            {heading !== null && <div className={css('menu-legend')}>{heading}</div>}
            {suggestions.map(({ value, name, says, from }) => {
              index += 1;
              return (
                <div
                  key={value}
                  id={optionId(id, index)}
                  data-index={index}
                  className="menu-item"
                  role="option"
                  aria-selected={index === marked}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(value)}
                >
                  <span className={css('name', 'ell')} title={name}>
                    {name}
                  </span>
                  <span className={css('says', 'ell')}>{says}</span>
                  <span className={css('from', 'ell')}>{from}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p className="muted">{none}</p>}
    </Popup>
  );
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

interface SuggestionFacts {
  text: string;
  /** Position of the caret; null if something is selected, or the field has no focus. */
  caret: number | null;
  commands: readonly SessionCommand[];
  templates: readonly KnownTemplate[];
  agent: string;
  files: { paths: readonly string[] | null; ask: () => void };
}

interface Suggested {
  kind: 'commands' | 'files';
  typed: Typed;
  groups: readonly SuggestionGroup[];
  count: number;
  marked: number;
  none: string;
  /** Marks the next one, or the one before. */
  step: (by: 1 | -1) => void;
  /** The value that is marked; null if the list is empty. */
  value: string | null;
  close: () => void;
}

/** Suggestions for the word at the caret; null if there are none. */
export function useSuggestions({ text, caret, commands, templates, agent, files }: SuggestionFacts): Suggested | null {
  const [marked, setMarked] = useState(0);
  /** Esc was pressed at the word that begins there. */
  const [closedAt, setClosedAt] = useState<string | null>(null);
  const command = caret === null ? null : typedCommand(text, caret);
  const mention = caret === null || command !== null ? null : typedMention(text, caret);
  const kind = command !== null ? 'commands' : 'files';
  const typed = command ?? mention;
  const { paths, ask } = files;
  const isMention = mention !== null;
  const query = typed?.query ?? null;
  const place = typed === null ? null : `${kind} ${typed.start}`;

  useEffect(() => {
    if (isMention) ask();
  }, [isMention, ask]);
  useEffect(() => {
    if (place === null) setClosedAt(null);
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another word has another list.
  useEffect(() => setMarked(0), [query, place]);

  const groups = useMemo((): readonly SuggestionGroup[] => {
    if (query === null) return [];
    return kind === 'commands' ? commandGroups({ commands, templates, agent }, query) : fileGroups(paths ?? [], query);
  }, [kind, query, commands, templates, agent, paths]);
  const values = useMemo(() => groups.flatMap(({ suggestions }) => suggestions.map(({ value }) => value)), [groups]);
  const close = useCallback(() => setClosedAt(place), [place]);
  if (typed === null || place === closedAt) return null;
  // A sign that stands for itself needs no empty list.
  if (values.length === 0 && (kind === 'commands' || paths !== null)) return null;
  const count = values.length;
  const now = Math.min(marked, Math.max(0, count - 1));
  return {
    ...{ kind, typed, groups, count, close },
    marked: now,
    none: t('Reading the folder…'),
    step: (by) => setMarked((now + by + count) % Math.max(1, count)),
    value: values[now] ?? null,
  };
}

type Offered = Pick<SuggestionFacts, 'commands' | 'templates' | 'agent'>;

function commandGroups({ commands, templates, agent }: Offered, query: string): SuggestionGroup[] {
  const found = findCommands(withoutTemplates(commands, templates), query);
  const suggestion = ({ name, description, origin, isComing }: SessionCommand) => {
    const says = isComing === true ? t('From your next message on') : description;
    return { value: name, name: `/${name}`, says, from: originWords(origin, agent) };
  };
  const kept = findTemplates(templates, query).map((template) => ({
    ...{ value: templateValue(template), name: `/${template.name}` },
    says: oneLine(template.description ?? template.text, 120),
    from: template.isStrange ? t('Not trusted') : template.scope === 'all' ? t('All folders') : t('This folder'),
  }));
  return [
    { heading: t('Templates'), suggestions: kept },
    { heading: t('Commands'), suggestions: found.commands.map(suggestion) },
    { heading: t('Skills and agents'), suggestions: found.skills.map(suggestion) },
  ];
}

/** Set apart from every name of a command. */
const ofTemplate = 'template ';

function templateValue({ path }: KnownTemplate): string {
  return `${ofTemplate}${path}`;
}

/** The template that was chosen; null: something else was. */
export function chosenTemplate(value: string, templates: readonly KnownTemplate[]): KnownTemplate | null {
  return templates.find((one) => templateValue(one) === value) ?? null;
}

/** The agent has the same files as commands. */
function withoutTemplates(
  commands: readonly SessionCommand[],
  templates: readonly KnownTemplate[],
): readonly SessionCommand[] {
  const names = new Set(templates.map(({ name }) => name));
  return commands.filter(({ name, origin }) => !(names.has(name) && isOfFile(origin)));
}

function fileGroups(paths: readonly string[], query: string): SuggestionGroup[] {
  const suggestions = findPaths(paths, query).map((path) => {
    const isFolder = path.endsWith('/');
    const name = `${baseName(path)}${isFolder ? '/' : ''}`;
    const cut = path.length - name.length;
    return { value: path, name, says: cut > 0 ? parentOf(path) : '', from: isFolder ? t('Folder') : '' };
  });
  return [{ heading: null, suggestions }];
}
