import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { creditsOf, grouped, premiumRequests, roundedParts } from '../../app/words/numbers.ts';
import { zoneSuffix } from '../../app/words/times.ts';
import { type Period, type Slot, slotTitle } from './period.ts';
import { type MeasureName, measures } from './split-chart.tsx';

const heads: Readonly<Record<Period['unit'], Message>> = { hour: msg('Hour'), day: msg('Day'), month: msg('Month') };

interface SplitTableProps {
  measure: MeasureName;
  period: Period;
  slots: readonly Slot[];
}

/** The numbers of the chart. Times without a request are left out. */
export function SplitTable({ measure, period, slots }: SplitTableProps) {
  const { parts, words } = measures[measure];
  const isOfRequests = measure === 'requests';
  const rows = slots.filter(({ row }) => row !== null);
  const credits = isOfRequests && rows.some(({ row }) => (row?.nanoAiu ?? 0) > 0);
  const premium = isOfRequests && rows.some(({ row }) => (row?.premiumRequests ?? 0) > 0);
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">
              {translated(heads[period.unit])}
              {zoneSuffix()}
            </th>
            {parts.map(({ label }) => (
              <th key={label} scope="col">
                {translated(label)}
              </th>
            ))}
            {isOfRequests && <th scope="col">{t('No charge')}</th>}
            <th scope="col">{t('All')}</th>
            {isOfRequests && <th scope="col">{t('User')}</th>}
            {isOfRequests && <th scope="col">{t('Agent')}</th>}
            {credits && <th scope="col">{t('Credits')}</th>}
            {premium && <th scope="col">{t('Premium')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((slot) => {
            const { row } = slot;
            if (row === null) return null;
            // Parts of credits add up to what is shown as all of them.
            const amounts = roundedParts(parts.map(({ of }) => of(row)));
            const all = amounts.reduce((sum, amount) => sum + amount, 0);
            return (
              <tr key={slot.key}>
                <th scope="row">{slotTitle(slot, period.unit)}</th>
                {parts.map(({ label }, part) => (
                  <td key={label}>{words(amounts[part] ?? 0)}</td>
                ))}
                {isOfRequests && <td>{grouped(row.requests - all)}</td>}
                <td>{words(isOfRequests ? row.requests : all)}</td>
                {isOfRequests && <td>{grouped(row.user)}</td>}
                {isOfRequests && <td>{grouped(row.agent)}</td>}
                {credits && <td>{creditsOf(row.nanoAiu)}</td>}
                {premium && <td>{premiumRequests(row.premiumRequests)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
