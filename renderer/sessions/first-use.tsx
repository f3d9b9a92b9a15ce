import classNames from 'classnames/bind';
import { useState } from 'react';
import type { AgentState } from '../../app/api/sessions.ts';
import { t } from '../../app/language/translate.ts';
import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import ofProgram from '../parts/claude-program.module.css';
import { amount, ProgramChoice, ProgramWords } from '../parts/claude-program.tsx';
import { asksAnthropic, type ClaudeProgram, failureWords } from '../state/claude-program.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import styles from './composer/composer.module.css';
import { openNewSession } from './composer/open-session.ts';

const css = classNames.bind({ ...ofProgram, ...styles });

/** Shown in place of sessions while there is no Claude Code to run them. */
export function FirstUse({ program }: { program: ClaudeProgram }) {
  const { claude, failure, choose, stop, chooseFile } = program;
  const { store } = useServices();
  /** A person who chose a program here wants a session with it, unless they left while it was fetched. */
  const begin = async (choosing: Promise<boolean>): Promise<void> => {
    if (!(await choosing)) return;
    const { place, part } = store.getState().route;
    if (place === 'sessions' && part === null) openNewSession(null);
  };
  const asks = useWindow(asksAnthropic);
  const { isDemo } = useApp();
  const [isExplained, setExplained] = useState(false);
  if (claude !== null && isNewAdapter(claude)) return <NewAdapter program={program} claude={claude} />;
  return (
    <div className={css('begin')} data-testid="first-use">
      <div className={css('begin-inner')}>
        <h2 className={css('begin-title')}>{t('Run Claude Code in this window')}</h2>
        <p className={css('begin-lead')}>
          {isDemo
            ? t('Jumpseat starts it for you, on the simulated Copilot. It asks before it changes anything.')
            : t('Jumpseat starts it for you, on your Copilot subscription. It asks before it changes anything.')}
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

/** This Jumpseat runs Claude Code with another version of its adapter: nothing has to be chosen again. */
function isNewAdapter({ problem, sources }: AgentState): boolean {
  return problem?.code === 'leader-missing' && sources !== null && (sources.wasLed || sources.chosen !== null);
}

/** Shown in place of sessions after an update of Jumpseat with a new version of the adapter. */
function NewAdapter({ program, claude }: { program: ClaudeProgram; claude: AgentState }) {
  const { failure, fetch, stop } = program;
  const { fetching, fetchable } = claude;
  const words = failureWords(failure);
  return (
    <div className={css('begin')} data-testid="new-adapter">
      <div className={css('begin-inner')}>
        <h2 className={css('begin-title')}>{t('Claude Code needs a new version of its adapter')}</h2>
        <p className={css('begin-lead')}>
          {t(
            'This Jumpseat needs a newer version of Anthropic’s Agent SDK. It is fetched once from the npm registry: {size}. Your choice of Claude Code stays.',
            { size: bytes(fetchable?.bytes ?? 0) },
          )}
        </p>
        {words !== null && fetching === null && (
          <p className={css('program-failure')} role="alert">
            <strong>{t('The adapter couldn’t be fetched.')}</strong> {words.text}
          </p>
        )}
        <div className={css('program-actions', 'in-row')}>
          {fetching === null ? (
            <Button look="primary" size="large" onClick={() => void fetch()}>
              {words === null ? t('Fetch') : t('Try again')}
            </Button>
          ) : (
            <>
              <Button size="large" onClick={stop}>
                {t('Cancel')}
              </Button>
              <span role="status">
                {t('Fetching, {amount}', { amount: amount(fetching.received, fetching.total) })}
              </span>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
