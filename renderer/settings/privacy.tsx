import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { bytes } from '../../app/words/numbers.ts';
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
          {t('Delete history…')}
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
        title={t('Record bodies')}
        help={t('Prompts, answers and tool results, in memory only: at most {megabytes} MB, gone when you quit.', {
          megabytes: preferences.bodies.megabytes,
        })}
      >
        <Switch
          label={t('Record bodies')}
          on={on}
          change={(on) => (on ? askToRecord(services) : void switchRecording(services, false))}
        />
      </Setting>
      <Field
        name="bodies.megabytes"
        preferences={preferences}
        help={
          exchanges === 0
            ? t('Nothing is held now.')
            : t('{exchanges, plural, one {# request} other {# requests}} held now, {held}.', {
                exchanges,
                held: bytes(held),
              })
        }
      >
        <Button
          look="danger"
          disabled={exchanges === 0}
          onClick={() => void actions.tried(services.bridge.forgetBodies())}
        >
          {t('Delete bodies')}
        </Button>
      </Field>
      <Field name="bodies.minutes" preferences={preferences} />
    </>
  );
}
