import { useCallback, useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { askingModes, effortWords, modeWordsOf } from '../../app/words/agents.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { rich } from '../parts/rich.tsx';
import { isMac } from '../parts/shortcuts.ts';
import { useActions } from '../state/actions.ts';
import { useAsked } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import { Field, shownField } from './field.tsx';
import { ProgramSetting } from './session-program.tsx';
import { Section, Select, Setting, translatedChoices, useChange } from './setting.tsx';

const modes = askingModes.map((value) => ({ value, label: modeWordsOf[value].name }));

/** Settings of hosted sessions: their program, the defaults of new ones, and what applies to all. */
export function SessionsSection({ preferences }: { preferences: Preferences }) {
  const otherEnter = isMac() ? '⌘Enter' : 'Ctrl+Enter';
  const isQueued = preferences.sessions.enterWhileRunning === 'queue';
  return (
    <Section id="sessions">
      <ProgramSetting />
      <Field name="sessions.mode" preferences={preferences} choices={translatedChoices(modes)} />
      <EffortAndModel preferences={preferences} />
      <Field
        name="sessions.enterWhileRunning"
        preferences={preferences}
        segmented
        help={
          isQueued
            ? t('{keys} sends the message to the running turn.', { keys: otherEnter })
            : t('{keys} queues the message.', { keys: otherEnter })
        }
      />
      <Field name="sessions.atOnce" preferences={preferences} />
      <Field name="sessions.creditsPerTurn" preferences={preferences} />
      <Field name="sessions.unloadAfterMinutes" preferences={preferences} />
      <Versions preferences={preferences} />
      {preferences.desktop !== null && <Field name="sessions.titlesOutside" preferences={preferences} />}
      <Field
        name="sessions.madeElsewhere"
        preferences={preferences}
        help={rich('Lists what Claude Code keeps in <path>~/.claude/projects</path>.', {
          path: (inside) => <span className="mono">{inside}</span>,
        })}
      />
      <OpenFilesWith preferences={preferences} />
      <Field name="sessions.search" preferences={preferences} />
      <Field name="sessions.webFetchPreflight" preferences={preferences} />
    </Section>
  );
}

/** Where a choice is left to the program: no model or effort is called so. */
const nobodys = '';
const usualEfforts: readonly string[] = ['low', 'medium', 'high'];

/** What new sessions run on. */
function EffortAndModel({ preferences }: { preferences: Preferences }) {
  const { model, effort } = preferences.sessions;
  const { change, error } = useChange();
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.agentOffers('claude'), [bridge]));
  const offered = asked.last?.models ?? [];
  const models = new Set([...(model === null ? [] : [model]), ...offered.map(({ id }) => id)]);
  const known = offered.find(({ id }) => id === model)?.efforts ?? usualEfforts;
  const efforts = new Set([...known, ...(effort === null ? [] : [effort])]);
  return (
    <Setting
      of="sessions.model"
      title={t('Model and effort of new sessions')}
      help={shownField('sessions.model').help}
      error={error}
    >
      <Select
        label={shownField('sessions.model').label}
        chosen={model ?? nobodys}
        choices={[
          ...[...models].map((value) => ({ value, label: value })),
          { value: nobodys, label: t('Claude Code decides') },
        ]}
        choose={(chosen) => void change({ sessions: { model: chosen === nobodys ? null : chosen } })}
      />
      <Select
        label={shownField('sessions.effort').label}
        chosen={effort ?? nobodys}
        choices={[
          ...[...efforts].map((value) => ({ value, label: effortWords(value) })),
          { value: nobodys, label: t('The model decides') },
        ]}
        choose={(chosen) => void change({ sessions: { effort: chosen === nobodys ? null : chosen } })}
      />
    </Setting>
  );
}

/** How long edits can be undone. */
function Versions({ preferences }: { preferences: Preferences }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Field name="sessions.keepVersionsDays" preferences={preferences}>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('Delete versions…')}
        </Button>
      </Field>
      {isAsking && <DeleteVersions close={() => setAsking(false)} />}
    </>
  );
}

function DeleteVersions({ close }: { close: () => void }) {
  const { bridge, store } = useServices();
  const { tried } = useActions();
  const remove = async (): Promise<void> => {
    close();
    const gone = await bridge.deleteVersions();
    toast(
      store,
      gone === 0
        ? t('No versions were saved.')
        : t('Deleted {gone, plural, one {# version} other {# versions}}.', { gone }),
    );
  };
  return (
    <Dialog
      title={t('Delete all versions saved for undo?')}
      action={{ label: t('Delete versions'), run: () => void tried(remove()), danger: true }}
      close={close}
    >
      <p>{t('Edits that Claude made until now can’t be undone here any more. The files stay as they are.')}</p>
    </Dialog>
  );
}

/** In the tray app only: a browser opens no files of this machine. */
function OpenFilesWith({ preferences }: { preferences: Preferences }) {
  const { bridge } = useServices();
  const { fileOpeners } = bridge;
  const { asked } = useAsked(useCallback(async () => (fileOpeners === null ? [] : fileOpeners()), [fileOpeners]));
  if (fileOpeners === null) return null;
  // One that was chosen and is gone is still what is chosen.
  const openers = new Set<string>(['system', ...(asked.last ?? []), preferences.sessions.openFilesWith]);
  const choices = shownField('sessions.openFilesWith').choices.filter(({ value }) => openers.has(value));
  return <Field name="sessions.openFilesWith" preferences={preferences} choices={choices} />;
}
