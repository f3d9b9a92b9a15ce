import { type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PlaceWords } from '../parts/place-words.tsx';
import { ProgramChoice } from '../parts/program-choice.tsx';
import { ProgramWords } from '../parts/program-words.tsx';
import { asksAnthropic, type ClaudeProgram, failureWords, useClaudeProgram } from '../state/claude-program.ts';
import { useWindow } from '../state/services.ts';
import { Setting } from './setting.tsx';

/** Which Claude Code leads the sessions. */
export function ProgramSetting() {
  const program = useClaudeProgram();
  const [isOpen, setOpen] = useState(false);
  return (
    <Setting title="Claude Code" help={found(program.claude)} error={program.unknown}>
      <Button disabled={program.claude?.sources == null} onClick={() => setOpen(true)}>
        Change…
      </Button>
      {isOpen && <ProgramDialog program={program} close={() => setOpen(false)} />}
    </Setting>
  );
}

function found(claude: ClaudeProgram['claude']): ReactNode {
  if (claude === null) return '…';
  const { version, path, problem } = claude;
  if (problem !== null) return `${problem.text} ${problem.mend}`;
  if (path === null) return `Version ${version}`;
  return (
    <>
      <PlaceWords path={path} />, version {version}
    </>
  );
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
    <Dialog title="Where Claude Code comes from" action={null} cancel="Close" close={close} wide>
      <p className="muted">Sessions that run keep theirs until they are unloaded.</p>
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
