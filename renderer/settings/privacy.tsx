import type { Preferences } from '../../app/api/settings.ts';
import { bytes, counted } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { Switch } from '../parts/choices.tsx';
import { useActions } from '../state/actions.ts';
import { askToRecord, switchRecording } from '../state/questions.ts';
import { useApp, useLog, useServices } from '../state/services.ts';
import { Field } from './field.tsx';
import { Section, Setting } from './setting.tsx';

export function PrivacySection({ preferences }: { preferences: Preferences }) {
  const { deleteHistory } = useActions();
  const { known } = useLog();
  return (
    <Section id="privacy">
      <RecordBodies preferences={preferences} />
      <Field name="historyDays" preferences={preferences}>
        <Button look="danger" disabled={known === 0} onClick={deleteHistory}>
          Delete history…
        </Button>
      </Field>
      <Field name="otlp.endpoint" preferences={preferences} />
    </Section>
  );
}

/** Recording what is said, and what is held of it: how much, how long. The switch is off at every start. */
function RecordBodies({ preferences }: { preferences: Preferences }) {
  const services = useServices();
  const actions = useActions();
  const { on, exchanges, bytes: held } = useApp().recording;
  return (
    <>
      <Setting
        of="mayRecord"
        title="Record bodies"
        help={`Prompts, answers and tool results, in memory only: at most ${preferences.bodies.megabytes} MB, gone when you quit.`}
      >
        <Switch
          label="Record bodies"
          on={on}
          change={(on) => (on ? askToRecord(services) : void switchRecording(services, false))}
        />
      </Setting>
      <Field
        name="bodies.megabytes"
        preferences={preferences}
        help={exchanges === 0 ? 'Nothing is held now.' : `${counted(exchanges, 'request')} held now, ${bytes(held)}.`}
      >
        <Button
          look="danger"
          disabled={exchanges === 0}
          onClick={() => void actions.tried(services.bridge.forgetBodies())}
        >
          Delete bodies
        </Button>
      </Field>
      <Field name="bodies.minutes" preferences={preferences} />
    </>
  );
}
