import classNames from 'classnames/bind';
import { Fragment } from 'react';
import { useStore } from 'zustand';
import type { Check } from '../../app/api/state.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { needsAttention } from '../../app/words/checks.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Failed, Passed, Ring, Skipped, Sync, Warning } from '../parts/icons.tsx';
import { useActions } from '../state/actions.ts';
import { useApp, useServices } from '../state/services.ts';
import styles from './health.module.css';
import { remedyOf, type ShowSetup } from './remedies.ts';

const css = classNames.bind(styles);

const verdictWords: Readonly<Record<Check['verdict'], Message>> = {
  passed: msg('Passed'),
  warning: msg('Warning'),
  failed: msg('Failed'),
  skipped: msg('Skipped'),
};

/** One check: its mark, its name, what was found, and what fixes it. */
export function CheckRow({ check, showSetup }: { check: Check; showSetup: ShowSetup }) {
  const services = useServices();
  const { health } = services;
  const app = useApp();
  const actions = useActions();
  const runs = useStore(health.store, ({ checking, running }) => checking || running.has(check.id));
  const remedy = remedyOf(check, { app, actions, services, showSetup });
  const bad = needsAttention(check);
  const [first = '', ...rest] = sentences(check.finding);
  const more = [...rest, ...(remedy === null || remedy.words === null ? [] : [remedy.words])].join(' ');
  return (
    <li className={css('check', check.verdict)} data-testid={`check-${check.id}`} aria-busy={runs}>
      <Mark verdict={check.verdict} runs={runs} />
      <span className={css('title')}>{check.title}</span>
      <span className={css('finding', 'figures')}>
        <span className={bad ? undefined : 'muted'}>
          <Finding text={bad ? first : check.finding} />
        </span>
        {bad && more !== '' && (
          <span className={css('more', 'muted', 'small')}>
            <Finding text={more} />
          </span>
        )}
      </span>
      <span className={css('actions')}>
        <IconButton
          className={css('again')}
          size="small"
          label={t('Check {title} again', { title: check.title })}
          icon={<Sync size={14} />}
          disabled={runs}
          onClick={() => void health.checkOne(check.id)}
        />
        {remedy?.action && <Button onClick={remedy.action.run}>{remedy.action.label}</Button>}
      </span>
    </li>
  );
}

function Mark({ verdict, runs }: { verdict: Check['verdict']; runs: boolean }) {
  return (
    <span className={css('mark')}>
      {runs ? <Ring size={16} /> : icons[verdict]}
      <span className="sr">{runs ? t('Checking') : translated(verdictWords[verdict])}</span>
    </span>
  );
}

const icons: Readonly<Record<Check['verdict'], React.JSX.Element>> = {
  passed: <Passed size={16} />,
  warning: <Warning size={16} />,
  failed: <Failed size={16} />,
  skipped: <Skipped size={16} />,
};

/** What was found is the first sentence; the rest explains it. A name and its colon at the start belong to it. */
function sentences(text: string): string[] {
  return text.split(/(?<=\.|\s\S*:) (?=[A-Z“"•])|(?<=。)(?!$)/);
}

const address = /(?:\d{1,3}\.){3}\d{1,3}:\d+|(?:[\w-]+\.)+(?:com|net|org|io)(?::\d+)?(?:\/[\w/-]*)?/;
const path = /~[\\/][\w.\\/-]+/;
const variable = /\b[A-Z]+(?:_[A-Z]+)+\b/;
const model = /\bclaude-[\w.-]*\w/;
const codeLike = new RegExp(`(${[address, path, variable, model].map(({ source }) => source).join('|')})`, 'g');

/** A sentence with its addresses, paths and names set as code. */
function Finding({ text }: { text: string }) {
  return text.split(codeLike).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move.
      <code key={index}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
