import classNames from 'classnames/bind';
import { useMemo } from 'react';
import { t } from '../../../app/language/translate.ts';
import { asksWords } from '../../../app/words/session-questions.ts';
import { folderName } from '../../../app/words/sessions.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Question } from '../../parts/icons.tsx';
import { openSession } from '../composer/open-session.ts';
import { useSessions } from '../state/hooks.ts';
import { type ListRow, waitsForPerson } from './list-rows.ts';
import styles from './session-list.module.css';
import { commandIn } from './short-question.ts';

const css = classNames.bind(styles);

/** More are behind a link. */
const most = 3;

/**
 * The sessions that wait for the person, the one that has waited longest first. Below the rows, which keep their places
 * when it comes and goes.
 */
export function WaitingStrip({ rows, showAll }: { rows: readonly ListRow[]; showAll: () => void }) {
  const questions = useSessions((state) => state.questions);
  const waiting = useMemo(() => {
    const since = new Map<string, number>();
    for (const { sessionId, askedAt } of questions)
      since.set(sessionId, Math.min(since.get(sessionId) ?? askedAt, askedAt));
    const order = ({ id }: ListRow): number => since.get(id) ?? Number.POSITIVE_INFINITY;
    return rows
      .filter(waitsForPerson)
      .toSorted((one, other) => order(one) - order(other) || (one.id < other.id ? -1 : 1));
  }, [rows, questions]);
  if (waiting.length === 0) return null;
  return (
    <section className={css('waiting-strip')} aria-label={t('Waiting for you')}>
      <ul>
        {waiting.slice(0, most).map(({ id, title, folder, held }) => {
          const asked = questions.filter(({ sessionId }) => sessionId === id);
          const command = commandIn(asked);
          const said =
            command ?? (asked.length === 0 && held === null ? t('In a terminal, waits for you') : asksWords(asked));
          return (
            <li key={id}>
              <button
                type="button"
                title={[title, folderName(folder), said].filter(Boolean).join(' · ')}
                onClick={() => openSession(id)}
              >
                <Question size={14} />
                <b>{title}</b>
                <span className={css('asked', { mono: command !== null })}>{said}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {waiting.length > most && (
        <LinkButton onClick={showAll}>
          {t('{count, plural, one {# more waits for you} other {# more wait for you}}', {
            count: waiting.length - most,
          })}
        </LinkButton>
      )}
    </section>
  );
}
