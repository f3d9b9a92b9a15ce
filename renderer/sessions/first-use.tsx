import { useState } from 'react';
import { ProgramChoice } from '../parts/program-choice.tsx';
import { ProgramWords } from '../parts/program-words.tsx';
import { asksAnthropic, type ClaudeProgram, failureWords } from '../state/claude-program.ts';
import { useServices, useWindow } from '../state/services.ts';
import { openNewSession } from './composer/open-session.ts';
import { isNewAdapter, NewAdapter } from './new-adapter.tsx';

/** What stands where sessions would, as long as there is no Claude Code that could lead them. */
export function FirstUse({ program }: { program: ClaudeProgram }) {
  const { claude, failure, choose, stop, chooseFile } = program;
  const { store } = useServices();
  /** Who chose one here wants a session of it, unless they went on elsewhere while it was fetched. */
  const begin = async (choosing: Promise<boolean>): Promise<void> => {
    if (!(await choosing)) return;
    const { place, part } = store.getState().route;
    if (place === 'sessions' && part === null) openNewSession(null);
  };
  const asks = useWindow(asksAnthropic);
  const [isExplained, setExplained] = useState(false);
  if (claude !== null && isNewAdapter(claude)) return <NewAdapter program={program} claude={claude} />;
  return (
    <div className="begin" data-testid="first-use">
      <div className="begin-inner">
        <h2 className="begin-title">Run Claude Code in this window</h2>
        <p className="begin-lead">
          Jumpseat starts it for you, on your Copilot subscription. It asks before it changes anything.
        </p>
        {claude !== null && (
          <ProgramChoice
            {...{ claude, stop }}
            failure={failureWords(failure)}
            asksAnthropic={asks}
            choose={(from) => void begin(choose(from))}
            chooseFile={chooseFile && (() => void begin(chooseFile()))}
            remove={null}
            explain={() => setExplained(true)}
          />
        )}
      </div>
      {isExplained && <ProgramWords asksAnthropic={asks} close={() => setExplained(false)} />}
    </div>
  );
}
