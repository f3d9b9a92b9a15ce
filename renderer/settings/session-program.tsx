import { type ReactNode, useState } from 'react';
import type { AgentState } from '../../app/api/sessions.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { amount, PlaceWords, ProgramChoice, ProgramWords } from '../parts/claude-program.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { rich } from '../parts/rich.tsx';
import { asksAnthropic, type ClaudeProgram, failureWords, useClaudeProgram } from '../state/claude-program.ts';
import { useWindow } from '../state/services.ts';
import { Setting } from './setting.tsx';

const countsFrom = (): string => t('The new version is used after all sessions are unloaded.');

/** The Claude Code that runs the sessions. */
export function ProgramSetting() {
  const program = useClaudeProgram();
  const { claude, failure, newest } = program;
  const [isOpen, setOpen] = useState(false);
  const words = failureWords(failure);
  const fetching = claude?.fetching ?? null;
  const news =
    fetching !== null
      ? isOpen
        ? null
        : t('Fetching, {received}', { received: amount(fetching.received, fetching.total) })
      : claude === null
        ? null
        : newerWords(claude, newest);
  const help = (
    <>{news === null ? found(claude) : rich('{found}. {news}', { found: <>{found(claude)}</>, news: <>{news}</> })}</>
  );
  const error = words === null || fetching !== null ? program.unknown : sentences(words.title, words.text);
  return (
    <Setting of="claudeProgram" title="Claude Code" help={help} error={isOpen ? null : error}>
      <Button disabled={claude?.sources == null} onClick={() => setOpen(true)}>
        {t('Change…')}
      </Button>
      {claude !== null && !isOpen && <Updating program={program} claude={claude} />}
      {isOpen && <ProgramDialog program={program} close={() => setOpen(false)} />}
    </Setting>
  );
}

/** A copy is brought up to date here; one of the person's own is theirs. */
function Updating({ program, claude }: { program: ClaudeProgram; claude: AgentState }) {
  const { stop, update, findNewer } = program;
  const [isAsking, setAsking] = useState(false);
  const { fetching, from, sources } = claude;
  if (fetching !== null) return <Button onClick={stop}>{t('Cancel')}</Button>;
  if (from !== 'fetched') return null;
  if (sources?.copy?.newer != null) return <Button onClick={() => void update()}>{t('Update')}</Button>;
  const ask = (): void => {
    setAsking(true);
    void findNewer().finally(() => setAsking(false));
  };
  return (
    <Button disabled={isAsking} onClick={ask}>
      {t('Check for newer')}
    </Button>
  );
}

function newerWords({ from, sources }: AgentState, newest: string | null): ReactNode {
  const newer = from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  if (newer !== null) {
    return (
      <span role="status">
        {t('Newer: {version} ({size}).', { version: newer.version, size: bytes(newer.bytes) })} {countsFrom()}
      </span>
    );
  }
  return newest === null ? null : <span role="status">{t('{newest} is the newest.', { newest })}</span>;
}

function found(claude: ClaudeProgram['claude']): ReactNode {
  if (claude === null) return '…';
  const { version, path, problem } = claude;
  if (problem !== null) return sentences(problem.text, problem.remedy);
  if (path === null) return t('Version {version}', { version: version ?? '–' });
  return rich('<place></place>, version {version}', {
    place: () => <PlaceWords path={path} />,
    version: version ?? '',
  });
}

/** Closes by itself once another one is chosen. */
function ProgramDialog({ program, close }: { program: ClaudeProgram; close: () => void }) {
  const { claude, failure, choose, stop, chooseFile, remove } = program;
  const asks = useWindow(asksAnthropic);
  const [isExplained, setExplained] = useState(false);
  const chosen = async (choice: Promise<boolean>): Promise<void> => {
    if (await choice) close();
  };
  if (claude === null) return null;
  if (isExplained) return <ProgramWords asksAnthropic={asks} close={() => setExplained(false)} />;
  return (
    <Dialog title={t('Where Claude Code comes from')} action={null} close={close} wide>
      <p className="muted">{countsFrom()}</p>
      <ProgramChoice
        {...{ claude, stop }}
        failure={failureWords(failure)}
        asksAnthropic={asks}
        choose={(from) => void chosen(choose(from))}
        chooseFile={chooseFile && (() => void chosen(chooseFile()))}
        remove={() => void remove()}
        explain={() => setExplained(true)}
      />
    </Dialog>
  );
}
