import classNames from 'classnames/bind';
import { type FormEvent, useCallback, useId, useState } from 'react';
import type { ModelsReport } from '../../app/api/models.ts';
import { t } from '../../app/language/translate.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { useAsked } from '../state/asked.ts';
import { useServices } from '../state/services.ts';
import { ModelField } from './model-field.tsx';
import styles from './models.module.css';
import { checkDraft, targetsOf, wasWords } from './override-check.ts';

const css = classNames.bind(styles);

interface OverrideFormProps {
  report: ModelsReport;
  /** The name whose override it is; null for a new one, so the name is written too. */
  asked: string | null;
  /** The override that decides now: its name and model; null if there is none. */
  old: { name: string; model: string | null } | null;
  save: (name: string, model: string | null) => Promise<void>;
  close: () => void;
}

/** Replaces a row: the model that a name runs on. */
export function OverrideForm({ report, asked, old, save, close }: OverrideFormProps) {
  const own = old !== null && asked !== null && old.name.toLowerCase() === asked.toLowerCase() ? old : null;
  const [name, setName] = useState(asked ?? '');
  const [model, setModel] = useState<string | null>(own?.model ?? null);
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const problem = useId();
  const finding = checkDraft({ name, model, changes: own?.name ?? null }, report);
  const said = finding !== null && (tried || !finding.blocks) ? finding : null;
  const was = asked === null ? null : wasWords(asked, report);
  const rule = useRuleFor(asked);
  const wild =
    asked !== null && own === null && old !== null ? t('Now by your override {name}', { name: old.name }) : null;

  const run = async (to: string | null): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await save(name.trim(), to);
      close();
    } catch (error) {
      const remedy = error instanceof BridgeError ? ` ${error.remedy}` : '';
      setFailure(`${error instanceof Error ? error.message : String(error)}${remedy}`);
      setBusy(false);
    }
  };
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    setTried(true);
    if (finding?.blocks !== true) void run(model);
  };

  return (
    <form
      className={css('override-form', 'in-row')}
      aria-label={asked === null ? t('New override') : t('Override of {asked}', { asked })}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {asked === null ? (
        <input
          className={css('field', 'mono', 'override-name', 'ell')}
          aria-label={t('Claude Code asks for')}
          aria-invalid={said?.field === 'name' && said.blocks}
          aria-describedby={said?.field === 'name' ? problem : undefined}
          placeholder="claude-3-5-haiku, claude-3-*"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field.
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      ) : (
        <span className={css('mono', 'override-name', 'ell')}>{asked}</span>
      )}
      <ModelField
        models={targetsOf(report)}
        chosen={model}
        choose={setModel}
        problem={said?.field === 'model' ? problem : null}
        isFirst={asked !== null}
        cancel={close}
        done={submit}
      />
      <span className={css('muted', 'small', 'override-was')}>
        {[was, wild, rule].filter((part) => part !== null).join('. ')}
      </span>
      <span className={css('override-buttons')}>
        {own !== null && (
          <Button look="danger" disabled={busy} onClick={() => void run(null)}>
            {t('Remove override')}
          </Button>
        )}
        <Button look="quiet" onClick={close}>
          {t('Cancel')}
        </Button>
        <Button look="primary" type="submit" disabled={busy}>
          {t('Save override')}
        </Button>
      </span>
      {(said !== null || failure !== null) && (
        <p id={problem} className={failure !== null || said?.blocks ? 'bad small' : 'warning-text small'} role="alert">
          {failure ?? said?.text}
        </p>
      )}
    </form>
  );
}

/** That a rule counts before an override of this name; null if none does, or it isn't known. */
function useRuleFor(asked: string | null): string | null {
  const { bridge } = useServices();
  const explain = useCallback(
    () => (asked === null || asked.endsWith('*') ? Promise.resolve(null) : bridge.explainModel(asked)),
    [bridge, asked],
  );
  const rule = useAsked(explain).asked.last?.rule ?? null;
  return rule === null ? null : t('Rule {rule} names the model, so an override changes nothing', { rule });
}
