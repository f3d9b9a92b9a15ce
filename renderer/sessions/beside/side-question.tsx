import classNames from 'classnames/bind';
import { memo, useId } from 'react';
import type { SideQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { costWithUnit } from '../../../app/words/charge.ts';
import { capital, withoutSpeaker } from '../../../app/words/text.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Button, IconButton, LinkButton } from '../../parts/button.tsx';
import { Failed, Ring, Trash } from '../../parts/icons.tsx';
import { go } from '../../state/routes.ts';
import { useApp } from '../../state/services.ts';
import { useAgentWords } from '../state/hooks.ts';
import { CopyButton } from '../text/copy-button.tsx';
import { Markdown } from '../text/markdown.tsx';
import styles from './side-questions.module.css';

const css = classNames.bind(styles);

interface SideQuestionViewProps {
  question: SideQuestion;
  stop: () => void;
  /** Asks the same once more; null while another one is answered. */
  again: (() => void) | null;
  toMessage: () => void;
  remove: () => void;
}

/** One of them, with its answer or why there is none. */
export const SideQuestionView = memo(function SideQuestionView(props: SideQuestionViewProps) {
  const { question, stop, again, toMessage, remove } = props;
  const { name } = useAgentWords();
  const heading = useId();
  const world = useApp().quota?.world ?? 'unknown';
  const { answer, state, cost } = question;
  const isRunning = state === 'running';
  return (
    <article className={css('side-question')} aria-labelledby={heading} aria-busy={isRunning || undefined}>
      <div className={css('side-asked')}>
        <p id={heading} dir="auto">
          {question.question}
        </p>
        <span className={css('time')}>{clockTime(question.askedAt)}</span>
      </div>
      {answer !== null && <Markdown text={answer} />}
      {isRunning && (
        <p className={css('side-state', 'muted')}>
          <Ring size={12} /> {t('{agent} is answering…', { agent: name })}
        </p>
      )}
      <Ended question={question} />
      <div className={css('side-foot')}>
        {isRunning && <Button onClick={stop}>{t('Stop')}</Button>}
        {answer !== null && <CopyButton label={t('Copy answer')} text={() => answer} />}
        {answer !== null && (
          <Button look="quiet" title={t('Puts question and answer into the message field')} onClick={toMessage}>
            {t('Use in message')}
          </Button>
        )}
        {!isRunning && answer === null && (
          <Button disabled={again === null} onClick={() => again?.()}>
            {t('Ask again')}
          </Button>
        )}
        {!isRunning && (
          <IconButton label={t('Delete this side question')} icon={<Trash size={14} />} onClick={remove} />
        )}
        {cost.user + cost.agent > 0 && (
          <span className="figures" title={t('Counted with the session, and with none of its turns')}>
            {costWithUnit(world, cost)}
          </span>
        )}
      </div>
    </article>
  );
});

/** Why there is no answer. */
function Ended({ question: { state, problem } }: { question: SideQuestion }) {
  if (state === 'cancelled') return <p className={css('side-state', 'muted')}>{t('Stopped by you.')}</p>;
  if (state === 'interrupted') {
    return <p className={css('side-state', 'muted')}>{t('Jumpseat was closed before the answer came.')}</p>;
  }
  if (problem === null) return null;
  const { requestId } = problem;
  return (
    <p className={css('side-state', 'failed')} role="note">
      <Failed size={14} aria-label={t('Failed')} />
      <span>
        {capital(withoutSpeaker(problem.text))}{' '}
        {requestId !== null && (
          <LinkButton onClick={() => go({ place: 'requests', part: requestId })}>{t('Show request')}</LinkButton>
        )}
      </span>
    </p>
  );
}
