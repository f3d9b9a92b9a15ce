import classNames from 'classnames/bind';
import { useState } from 'react';
import type { SettingsBlock, SetupPlan } from '../../app/api/setup.ts';
import { t } from '../../app/language/translate.ts';
import { changedValues, windowModel, writtenKey, writtenWindow } from '../../app/words/setup.ts';
import styles from './difference.module.css';

const css = classNames.bind(styles);

interface DifferenceLine {
  kind: 'added' | 'removed' | 'same' | 'skipped';
  text: string;
}

const signs = { added: '+', removed: '−', same: ' ', skipped: ' ' } as const;

/** What changes in a file: what goes in red, what comes in green, each with its sign. */
export function Difference({ file, lines }: { file: string; lines: readonly DifferenceLine[] }) {
  return <Lines file={file} lines={lines.map(({ kind, text }) => ({ kind, text: ` ${text}` }))} />;
}

function Lines({
  file,
  lines,
  rest = 0,
  showAll,
}: {
  file: string;
  lines: readonly DifferenceLine[];
  rest?: number;
  showAll?: () => void;
}) {
  return (
    <figure className={css('difference')}>
      <figcaption>{file}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        {lines.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one file do not move.
          <span key={index} className={css(kind)}>
            {signs[kind]}
            {text}
          </span>
        ))}
        {rest > 0 && (
          <button type="button" className={css('link', 'more')} onClick={showAll}>
            {t('… {rest} more', { rest })}
          </button>
        )}
      </pre>
    </figure>
  );
}

const firstShown = 3;

/** The same of a plan for Claude Code’s settings.json. */
export function SetupDifference({ plan, short = false }: { plan: SetupPlan; short?: boolean }) {
  const [all, setAll] = useState(!short);
  const shown = all ? plan.changes : plan.changes.slice(0, firstShown);
  const rest = plan.changes.length - shown.length;
  const lines = settingsLines(plan, shown, rest === 0);
  return <Lines file={plan.shown} lines={lines} rest={rest} showAll={() => setAll(true)} />;
}

type Change = SetupPlan['changes'][number];

function settingsLines(plan: SetupPlan, changes: readonly Change[], isWhole: boolean): DifferenceLine[] {
  const { createsFile, changedBlocks } = plan;
  const variables = changes.filter(({ place }) => place === 'env');
  const beside = changes.filter((change) => change.place !== 'env' && windowModel(change) === null);
  const windows = changes.filter((change) => windowModel(change) !== null);
  const changed = plan.action === 'setup' ? 'added' : 'removed';
  // Of a file that is made, all there will be is shown.
  const outer = (text: string): DifferenceLine[] => (createsFile ? [{ kind: 'added', text }] : []);
  const block = (name: SettingsBlock, below: readonly Change[], isLast: boolean): DifferenceLine[] => {
    const kind = changedBlocks.includes(name) ? changed : 'same';
    return [
      { kind, text: ` "${name}": {` },
      ...below.flatMap((change) => linesOf(change, '   ', isWhole && change === below.at(-1))),
      ...(isWhole ? [{ kind, text: ` }${isLast ? '' : ','}` } as const] : []),
    ];
  };
  return [
    ...outer('{'),
    ...block('env', variables, beside.length + windows.length === 0),
    ...beside.flatMap((change) => linesOf(change, ' ', isWhole && windows.length === 0 && change === beside.at(-1))),
    ...(windows.length > 0 ? block('modelSettings', windows, true) : []),
    ...(isWhole ? outer('}') : []),
  ];
}

function linesOf(change: Change, indent: string, isLast: boolean): DifferenceLine[] {
  const model = windowModel(change);
  return changedValues(change).map(({ look, value }) => ({
    kind: look,
    text: `${indent}${model === null ? writtenKey(change, value) : writtenWindow(change, model, value)}${isLast ? '' : ','}`,
  }));
}
