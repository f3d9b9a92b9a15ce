import type { Preferences } from '../../app/api.ts';
import { counted, grouped } from '../../app/words/numbers.ts';
import { useDeeds } from '../frame/deeds.ts';
import { Button } from '../parts/button.tsx';
import { ask } from '../state/moves.ts';
import { useLog, useServices, useWindow } from '../state/services.ts';
import { Section, SelectSetting, Setting } from './setting.tsx';

const offered: readonly number[] = [7, 30, 90, 365];

export function PrivacySection({ preferences: { historyDays } }: { preferences: Preferences }) {
  const { bridge, store } = useServices();
  const deeds = useDeeds();
  const { known } = useLog();
  const whole = useWindow((state) => state.history === 'whole');
  const { deleteHistory } = bridge;
  const days =
    historyDays === null || offered.includes(historyDays) ? offered : [...offered, historyDays].sort(byValue);
  const count = whole ? counted(known, 'request') : `all requests`;
  return (
    <Section id="privacy" title="Privacy">
      <Setting
        title="What is recorded"
        help="Times, sizes, counts and charges. Prompts, answers and tool results are never kept."
      />
      <SelectSetting
        title="Keep request history"
        help={historyDays === null ? 'Nothing is deleted by itself.' : 'Older requests are deleted by themselves.'}
        chosen={historyDays === null ? 'ever' : String(historyDays)}
        choices={[
          ...days.map((value) => ({ value: String(value), label: `${grouped(value)} days` })),
          { value: 'ever', label: 'For ever' },
        ]}
        wish={(chosen) => ({ historyDays: chosen === 'ever' ? null : Number(chosen) })}
      >
        {deleteHistory !== null && (
          <Button
            look="danger"
            disabled={known === 0}
            onClick={() =>
              ask(store, {
                title: `Delete ${count}?`,
                text: 'This can’t be undone. Charges on GitHub don’t change.',
                safe: 'Cancel',
                doing: 'Delete history',
                // The page forgets what it knew by being loaded anew.
                run: () => void deeds.tried(deleteHistory().then(() => window.location.reload())),
              })
            }
          >
            Delete history…
          </Button>
        )}
      </SelectSetting>
    </Section>
  );
}

function byValue(left: number, right: number): number {
  return left - right;
}
