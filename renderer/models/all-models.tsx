import classNames from 'classnames/bind';
import { Fragment, useState } from 'react';
import type { Absence, ModelRow } from '../../app/api/models.ts';
import { t, translated } from '../../app/language/translate.ts';
import { areMultiplied, endpointWords, offeredWords, policyWords } from '../../app/words/models.ts';
import { IconButton, LinkButton } from '../parts/button.tsx';
import { ChevronDown, ChevronRight } from '../parts/icons.tsx';
import { Pill } from '../parts/pill.tsx';
import { rich } from '../parts/rich.tsx';
import { useActions } from '../state/actions.ts';
import styles from './models.module.css';
import { FigureCells, Heads, PriceDetail } from './prices.tsx';

const css = classNames.bind(styles);

/** The catalog of this account. */
export function AllModels({ models }: { models: readonly ModelRow[] }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const actions = useActions();
  const multiplied = areMultiplied(models);
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <div className={css('models-frame')}>
      <table
        className={css('models-table', 'all-models', 'figures', 'framed')}
        aria-label={t('All models of this account')}
      >
        <Heads before={[t('Model'), t('Vendor')]} after={[t('Endpoints'), t('Offered')]} multiplied={multiplied} />
        <tbody>
          {models.map((model) => (
            <Fragment key={model.id}>
              <tr>
                <th scope="row" className="mono" title={`${model.id} (${model.name})`}>
                  <IconButton
                    className={css('open-prices')}
                    size="small"
                    label={t('Prices of {id}', { id: model.id })}
                    aria-expanded={open.has(model.id)}
                    icon={open.has(model.id) ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
                    onClick={() => toggle(model.id)}
                  />
                  {model.id}
                  {model.preview && <Pill>{t('Preview')}</Pill>}
                </th>
                <td className={css('vendor')}>{model.vendor}</td>
                <FigureCells model={model} multiplied={multiplied} />
                <td
                  className="muted"
                  title={model.path === null ? undefined : t('Jumpseat uses {path}', { path: model.path })}
                >
                  {endpointWords(model.endpoints)}
                </td>
                <td>
                  {model.policy === 'disabled' ? (
                    <>
                      <Pill tone="danger">{translated(policyWords.disabled)}</Pill>{' '}
                      <LinkButton
                        aria-label={t('Enable on GitHub: {id}', { id: model.id })}
                        onClick={() => actions.openGithub('/settings/copilot/features')}
                      >
                        {rich('Enable<wide> on GitHub</wide>', {
                          wide: (inside) => <span className={css('wide-only')}>{inside}</span>,
                        })}
                      </LinkButton>
                    </>
                  ) : (
                    <span className="muted" title={model.absence?.text}>
                      {translated(offeredWords(model))}
                    </span>
                  )}
                </td>
              </tr>
              {model.warnings.length > 0 && (
                <tr className={css('model-warning')}>
                  <td colSpan={multiplied ? 7 : 9}>{t('Copilot says: {text}', { text: model.warnings.join(' ') })}</td>
                </tr>
              )}
              {open.has(model.id) && (
                <tr className={css('price-row')}>
                  <td colSpan={multiplied ? 7 : 9}>
                    <AbsenceText absence={model.absence} />
                    <PriceDetail model={model} multiplied={multiplied} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why a model is not here, and what to do about it. */
export function AbsenceText({ absence }: { absence: Absence | null }) {
  if (absence === null) return null;
  return (
    <p className={css('absence')}>
      {absence.text} {absence.remedy !== null && <span className="muted">{absence.remedy}</span>}
    </p>
  );
}
