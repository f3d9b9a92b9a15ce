import classNames from 'classnames/bind';
import { useCallback, useEffect, useState } from 'react';
import type { SetUp } from '../../../app/api/calls/worktrees.ts';
import { t } from '../../../app/language/translate.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Ring } from '../../parts/icons.tsx';
import { callFailure, useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import styles from '../session-dialogs.module.css';
import { Terminal } from '../text/terminal.tsx';

const css = classNames.bind(styles);

/** While a command runs it is looked at so often, in ms. */
const lookMs = 500;

/** The command that was run last in the worktree of a folder; null if none was. */
export function useSetUp(path: string): { setUp: SetUp | null; again: () => Promise<void> } {
  const { bridge } = useServices();
  const { asked, again } = useAsked(
    useCallback(async () => ({ path, setUp: await bridge.worktreeSetUp(path) }), [bridge, path]),
  );
  const setUp = asked.last?.path === path ? asked.last.setUp : null;
  const isRunning = setUp !== null && setUp.end === null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void again(), lookMs);
    return () => clearInterval(timer);
  }, [isRunning, again]);
  return { setUp, again };
}

/** How a command ended, in words; null while it runs. */
function endWords({ end }: SetUp): string | null {
  switch (end?.kind) {
    case undefined:
      return null;
    case 'stopped':
      return t('Stopped by you.');
    case 'not-begun':
      return t('It couldn’t be started: {why}.', { why: end.why });
    case 'ended':
      if (end.signal !== null) return t('It was ended by the signal {signal}.', { signal: end.signal });
      return end.code === 0 ? t('Done.') : t('It ended with exit code {code}.', { code: end.code ?? '?' });
  }
}

/** A command, what it said last, and how it ended. */
export function SetUpOutput({ setUp }: { setUp: SetUp }) {
  const [field, setField] = useState<HTMLPreElement | null>(null);
  const { output } = setUp;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more was said.
  useEffect(() => {
    field?.scrollTo({ top: field.scrollHeight });
  }, [field, output]);
  const words = endWords(setUp);
  const isBad = words !== null && !(setUp.end?.kind === 'ended' && setUp.end.code === 0);
  return (
    <div className={css('set-up')}>
      <p className="mono">{setUp.command}</p>
      {output.trim() !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <pre ref={setField} tabIndex={0}>
          <Terminal text={output} />
        </pre>
      )}
      <p className={isBad ? 'bad' : 'muted'} role="status">
        {words ?? (
          <>
            <Ring size={12} /> {t('It runs.')}
          </>
        )}
      </p>
    </div>
  );
}

/** The same of a worktree that was chosen already. */
export function SetUpDialog({ path, again, close }: { path: string; again: () => Promise<void>; close: () => void }) {
  const { bridge } = useServices();
  const [problem, setProblem] = useState<string | null>(null);
  const { setUp, again: look } = useSetUp(path);
  const run = async (work: Promise<void>): Promise<void> => {
    setProblem(null);
    try {
      await work;
    } catch (error) {
      const { text, remedy } = callFailure(error);
      setProblem(`${text} ${remedy}`.trim());
    }
    await Promise.all([look(), again()]);
  };
  if (setUp === null) return null;
  const isRunning = setUp.end === null;
  const { command, path: at } = setUp;
  return (
    <Dialog
      wide
      title={t('Set-up command')}
      close={close}
      cancel={t('Close')}
      action={
        isRunning
          ? { label: t('Stop'), danger: true, run: () => void run(bridge.stopWorktreeSetUp(at)) }
          : { label: t('Run again'), run: () => void run(bridge.setUpWorktree({ folder: at, path: at, command })) }
      }
    >
      <SetUpOutput setUp={setUp} />
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
