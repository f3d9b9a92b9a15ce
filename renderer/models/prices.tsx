import classNames from 'classnames/bind';
import type { ModelRow } from '../../app/api/models.ts';
import { t } from '../../app/language/translate.ts';
import { creditPrices, multiplierWords } from '../../app/words/models.ts';
import { tokenLimit } from '../../app/words/numbers.ts';
import styles from './models.module.css';

const css = classNames.bind(styles);

/** Limits and prices of a model, as the cells of its row. Without a model they are dashes. */
export function FigureCells({ model, multiplied }: { model: ModelRow | undefined; multiplied: boolean }) {
  const prices = model === undefined ? { input: '–', cached: '–', output: '–' } : creditPrices(model);
  return (
    <>
      <td className={css('amount-cell', 'limit-cell')}>{tokenLimit(model?.limits.prompt ?? null)}</td>
      <td className={css('amount-cell', 'limit-cell')}>{tokenLimit(model?.limits.output ?? null)}</td>
      {multiplied ? (
        <td className={css('amount-cell', 'price')}>{model === undefined ? '–' : multiplierWords(model)}</td>
      ) : (
        <>
          <td className={css('amount-cell', 'price')}>{prices.input}</td>
          <td className={css('amount-cell', 'price')}>{prices.cached}</td>
          <td className={css('amount-cell', 'price')}>{prices.output}</td>
        </>
      )}
    </>
  );
}

/** The two lines of heads above them. `before` and `after` are the heads that span both. */
export function Heads({
  before,
  after,
  multiplied,
}: {
  before: readonly string[];
  after: readonly string[];
  multiplied: boolean;
}) {
  return (
    <thead>
      <tr>
        {before.map((text) => (
          <th key={text} scope="col" rowSpan={2}>
            {text}
          </th>
        ))}
        <th scope="colgroup" colSpan={2} className={css('group', 'limit-cell')}>
          {t('Token limits')}
        </th>
        {multiplied ? (
          <th scope="col" rowSpan={2} className={css('amount-cell', 'price')}>
            {t('Multiplier')}
          </th>
        ) : (
          <th scope="colgroup" colSpan={3} className={css('group', 'price')}>
            {t('Credits per million')}
          </th>
        )}
        {after.map((text) => (
          <th key={text} scope="col" rowSpan={2}>
            {text === '' ? <span className="sr">{t('Actions')}</span> : text}
          </th>
        ))}
      </tr>
      <tr>
        <th scope="col" className={css('amount-cell', 'limit-cell')}>
          {t('Input')}
        </th>
        <th scope="col" className={css('amount-cell', 'limit-cell')}>
          {t('Output')}
        </th>
        {!multiplied && (
          <>
            <th scope="col" className={css('amount-cell', 'price')}>
              {t('Input')}
            </th>
            <th scope="col" className={css('amount-cell', 'price')}>
              {t('Cached')}
            </th>
            <th scope="col" className={css('amount-cell', 'price')}>
              {t('Output')}
            </th>
          </>
        )}
      </tr>
    </thead>
  );
}

/** The prices again, for windows that are too narrow for their columns. */
export function PriceDetail({ model, multiplied }: { model: ModelRow | undefined; multiplied: boolean }) {
  if (model === undefined) return <p className="muted small">{t('No model, no limits and no price.')}</p>;
  const { input, cached, output } = creditPrices(model);
  const lines: readonly [string, string][] = multiplied
    ? [[t('Multiplier'), multiplierWords(model)]]
    : [
        [t('Input credits per million'), input],
        [t('Cached'), cached],
        [t('Output'), output],
      ];
  return (
    <dl className={css('price-detail')}>
      <div>
        <dt>{t('Input limit')}</dt>
        <dd className="figures">{tokenLimit(model.limits.prompt)}</dd>
      </div>
      <div>
        <dt>{t('Output limit')}</dt>
        <dd className="figures">{tokenLimit(model.limits.output)}</dd>
      </div>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
