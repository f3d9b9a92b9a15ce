import type { BodyLimits, Preferences } from '../../app/api/settings.ts';
import { bytes, counted, grouped } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { Switch } from '../parts/choices.tsx';
import { useActions } from '../state/actions.ts';
import { askToRecord, switchRecording } from '../state/questions.ts';
import { useApp, useLog, useServices } from '../state/services.ts';
import { Section, SelectSetting, Setting } from './setting.tsx';

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

const sizes: readonly number[] = [8, 16, 32, 64];
const ages: readonly (number | null)[] = [15, 60, 240, null];

/** Recording what is said, and what is held of it: how much, how long. The switch is off at every start. */
function RecordBodies({ bodies: { megabytes, minutes } }: { bodies: BodyLimits }) {
  const services = useServices();
  const actions = useActions();
  const { on, exchanges, bytes: held } = useApp().recording;
  const offered = sizes.includes(megabytes) ? sizes : [...sizes, megabytes].sort((left, right) => left - right);
  const times = ages.includes(minutes) ? ages : [minutes, ...ages];
  return (
    <>
      <Setting
        title="Record bodies"
        help={`Prompts, answers and tool results, in memory only: at most ${megabytes} MB, gone when you quit.`}
      >
        <Switch
          label="Record bodies"
          on={on}
          change={(on) => (on ? askToRecord(services) : void switchRecording(services, false))}
        />
      </Setting>
      <SelectSetting
        title="Recorded bodies take at most"
        help={exchanges === 0 ? 'Nothing is held now.' : `${counted(exchanges, 'request')} held now, ${bytes(held)}.`}
        chosen={String(megabytes)}
        choices={offered.map((value) => ({ value: String(value), label: `${value} MB` }))}
        changeFor={(chosen) => ({ bodies: { megabytes: Number(chosen) } })}
      >
        <Button
          look="danger"
          disabled={exchanges === 0}
          onClick={() => void actions.tried(services.bridge.forgetBodies())}
        >
          Delete bodies
        </Button>
      </SelectSetting>
      <SelectSetting
        title="Recorded bodies are kept"
        help="The oldest go first, whichever limit is reached."
        chosen={minutes === null ? 'quit' : String(minutes)}
        choices={times.map((value) => ({
          value: value === null ? 'quit' : String(value),
          label: value === null ? 'Until you quit' : spanOf(value),
        }))}
        changeFor={(chosen) => ({ bodies: { minutes: chosen === 'quit' ? null : Number(chosen) } })}
      />
    </>
  );
}

function spanOf(minutes: number): string {
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}
