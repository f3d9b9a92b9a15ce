import classNames from 'classnames/bind';
import { useEffect, useRef } from 'react';
import type { LearnedFact } from '../../app/api/models.ts';
import { t } from '../../app/language/translate.ts';
import { dayAndTime } from '../../app/words/times.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { toast } from '../state/notices.ts';
import { useServices, useWindow } from '../state/services.ts';
import styles from './models.module.css';

const css = classNames.bind(styles);

export interface LearnedProps {
  facts: readonly LearnedFact[];
  /** Called when they have changed. */
  changed: () => Promise<void>;
}

/** What Copilot's refusals have taught, so that the same is not asked again: until it ends, or is taken back here. */
export function Learned({ facts, changed }: LearnedProps) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const wanted = useWindow(({ route }) => route.part === 'learned');
  const head = useRef<HTMLDivElement>(null);
  const there = facts.length > 0;
  useEffect(() => {
    const place = head.current;
    // The list alone: the window around it stays where it is.
    if (wanted && there) place?.closest('.view-scroll')?.scrollTo({ top: place.offsetTop });
  }, [wanted, there]);
  const { forgetLessons } = bridge;
  if (!there) return null;

  const forget = async (id: string | null): Promise<void> => {
    const count = await forgetLessons(id);
    await changed();
    toast(store, t('Forgot {count, plural, one {# thing} other {# things}}. Copilot is asked again.', { count }));
  };
  return (
    <>
      <div className={css('models-head')} id="learned" ref={head}>
        <h2>{t('Learned from refusals')}</h2>
        <span className="muted small">
          {t('Fields that these models don’t support. Jumpseat leaves them out, and tries again after a day.')}
        </span>
        {forgetLessons !== null && facts.length > 1 && (
          <LinkButton onClick={() => void actions.tried(forget(null))}>{t('Forget all')}</LinkButton>
        )}
      </div>
      <div className={css('models-frame')}>
        <table className={css('models-table', 'figures', 'framed')} aria-label={t('Learned from refusals')}>
          <thead>
            <tr>
              <th scope="col">{t('Model')}</th>
              <th scope="col">{t('Copilot’s words')}</th>
              <th scope="col">{t('Path')}</th>
              <th scope="col" className={css('amount-cell')}>
                {t('Until')}
              </th>
              <th scope="col">
                <span className="sr">{t('Actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {facts.map(({ id, model, path, text, until }) => (
              <tr key={id}>
                <th scope="row" className="mono">
                  {model}
                </th>
                <td>{text}</td>
                <td className="mono muted">{path}</td>
                <td className={css('amount-cell')}>{dayAndTime(until)}</td>
                <td className={css('name-actions')}>
                  {forgetLessons !== null && (
                    <Button
                      aria-label={t('Forget: {model} {text}', { model, text })}
                      onClick={() => void actions.tried(forget(id))}
                    >
                      {t('Forget')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
