import type { Preferences } from '../../app/api/settings.ts';
import { grouped } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useLog } from '../state/services.ts';
import { RecordBodies } from './record-bodies.tsx';
import { Section, SelectSetting } from './setting.tsx';

const offered: readonly number[] = [7, 30, 90, 365];

export function PrivacySection({ preferences: { historyDays, bodies } }: { preferences: Preferences }) {
  const { deleteHistory } = useActions();
  const { known } = useLog();
  const days =
    historyDays === null || offered.includes(historyDays) ? offered : [...offered, historyDays].sort(byValue);
  return (
    <Section id="privacy" title="Privacy">
      <RecordBodies bodies={bodies} />
      <SelectSetting
        title="Keep request history"
        help="Times, sizes, counts and charges. No content."
        chosen={historyDays === null ? 'ever' : String(historyDays)}
        choices={[
          ...days.map((value) => ({ value: String(value), label: `${grouped(value)} days` })),
          { value: 'ever', label: 'For ever' },
        ]}
        changeFor={(chosen) => ({ historyDays: chosen === 'ever' ? null : Number(chosen) })}
      >
        <Button look="danger" disabled={known === 0} onClick={deleteHistory}>
          Delete history…
        </Button>
      </SelectSetting>
    </Section>
  );
}

function byValue(left: number, right: number): number {
  return left - right;
}
