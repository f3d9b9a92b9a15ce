import { grouped, premiumRequests, roundedParts } from '../../app/words/numbers.ts';
import { zoneSuffix } from '../../app/words/times.ts';
import { type Period, type Slot, slotTitle } from './period.ts';

const heads: Readonly<Record<Period['unit'], string>> = { hour: 'Hour', day: 'Day', month: 'Month' };

/** The numbers of the chart. Times without a request are left out. */
export function SplitTable({ period, slots }: { period: Period; slots: readonly Slot[] }) {
  const rows = slots.filter(({ row }) => row !== null);
  const credits = rows.some(({ row }) => (row?.nanoAiu ?? 0) > 0);
  const premium = rows.some(({ row }) => (row?.premiumRequests ?? 0) > 0);
  const rounded = roundedParts(rows.map(({ row }) => (row?.nanoAiu ?? 0) / 1e9));
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">
              {heads[period.unit]}
              {zoneSuffix()}
            </th>
            <th scope="col">Billed</th>
            <th scope="col">Free</th>
            <th scope="col">Unknown</th>
            <th scope="col">All</th>
            <th scope="col">User</th>
            <th scope="col">Agent</th>
            {credits && <th scope="col">Credits</th>}
            {premium && <th scope="col">Premium</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((slot, index) => {
            const { row } = slot;
            if (row === null) return null;
            return (
              <tr key={slot.key}>
                <th scope="row">{slotTitle(slot, period.unit)}</th>
                <td>{grouped(row.billed)}</td>
                <td>{grouped(row.free)}</td>
                <td>{grouped(row.unknown)}</td>
                <td>{grouped(row.billed + row.free + row.unknown)}</td>
                <td>{grouped(row.user)}</td>
                <td>{grouped(row.agent)}</td>
                {credits && <td>{grouped(rounded[index] ?? 0, 2)}</td>}
                {premium && <td>{premiumRequests(row.premiumRequests)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
