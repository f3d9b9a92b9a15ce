import classNames from 'classnames/bind';
import { useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { grouped } from '../../app/words/numbers.ts';
import { clockTime } from '../../app/words/times.ts';
import { Dialog } from '../parts/dialog.tsx';
import { exportName, saveFile } from '../parts/save-file.ts';
import { savesFile } from '../state/notices.ts';
import { useApp, useLog, useServices } from '../state/services.ts';
import { toCsv, toHar, toJsonLines } from './export.ts';
import { fetchExchanges, fetchSaid } from './fetch-exchanges.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

type What = 'shown' | 'selected' | 'everything';
type Form = 'jsonl' | 'har' | 'csv';

const forms: readonly { form: Form; label: string; type: string }[] = [
  { form: 'jsonl', label: 'JSONL', type: 'application/x-ndjson' },
  { form: 'har', label: 'HAR 1.2', type: 'application/json' },
  { form: 'csv', label: 'CSV', type: 'text/csv' },
];

/** What to export and how. What was said is included only if the person chooses that. */
export function ExportDialog({ selected, close }: { selected: string | null; close: () => void }) {
  const services = useServices();
  const view = useLog();
  const [what, setWhat] = useState<What>('shown');
  const [form, setForm] = useState<Form>('jsonl');
  const [isAskedFor, setIsAskedFor] = useState(false);
  const held = useApp().recording.exchanges;
  const withBodies = isAskedFor && held > 0 && form !== 'csv';
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const counts: Record<What, number> = {
    shown: view.rows.length,
    selected: selected === null ? 0 : 1,
    everything: view.known,
  };

  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const ids = what === 'shown' ? view.rows.map(({ id }) => id) : selected === null ? [] : [selected];
      const exchanges = await fetchExchanges(services, what === 'everything' ? null : new Set(ids));
      const said = withBodies ? await fetchSaid(services.bridge, exchanges) : undefined;
      const app = services.store.getState().app;
      const baseUrl = app?.proxy.kind === 'on' ? app.proxy.baseUrl : 'http://127.0.0.1';
      const text =
        form === 'jsonl'
          ? toJsonLines(exchanges, said)
          : form === 'csv'
            ? toCsv(exchanges, await services.bridge.sessionFolders())
            : toHar(exchanges, app?.version ?? '', baseUrl, said);
      const type = forms.find((one) => one.form === form)?.type ?? 'text/plain';
      const file = exportName(new Date(), form);
      saveFile(file, type, text);
      savesFile(services, file);
      close();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setFailure(t('The file couldn’t be written. {why}', { why }));
      setBusy(false);
    }
  };

  const { startedAt } = (selected === null ? null : services.log.row(selected)) ?? {};
  const choices: readonly { what: What; label: string }[] = [
    { what: 'shown', label: t('Shown requests ({count})', { count: grouped(counts.shown) }) },
    ...(startedAt === undefined
      ? []
      : [{ what: 'selected', label: t('The request of {time}', { time: clockTime(startedAt) }) } as const]),
    { what: 'everything', label: t('Everything ({count})', { count: grouped(counts.everything) }) },
  ];
  return (
    <Dialog
      title={t('Export requests')}
      close={close}
      action={{
        label: t('Export {count, plural, one {# request} other {# requests}}', { count: counts[what] }),
        run: () => void run(),
        disabled: busy || counts[what] === 0,
      }}
    >
      <fieldset className="choices">
        <legend>{t('What')}</legend>
        {choices.map(({ what: name, label }) => (
          <label key={name}>
            <input type="radio" name="what" checked={what === name} onChange={() => setWhat(name)} /> {label}
          </label>
        ))}
      </fieldset>
      <fieldset className="choices">
        <legend>{t('Form')}</legend>
        {forms.map(({ form: name, label }) => (
          <label key={name}>
            <input type="radio" name="form" checked={form === name} onChange={() => setForm(name)} /> {label}
          </label>
        ))}
      </fieldset>
      <label className="choice-alone">
        <input
          type="checkbox"
          disabled={held === 0 || form === 'csv'}
          checked={withBodies}
          onChange={(event) => setIsAskedFor(event.target.checked)}
        />{' '}
        {t('Include bodies')}{' '}
        {held === 0 ? (
          <span className="muted">{t('Nothing recorded')}</span>
        ) : (
          form === 'csv' && <span className="muted">{t('CSV has no place for them')}</span>
        )}
      </label>
      <div className={css('export-notes', 'small')}>
        {form === 'csv' && (
          <p className="muted">
            {t(
              'The list’s column Input is input_tokens plus cache_write_tokens, without what was read from the cache.',
            )}
          </p>
        )}
        {withBodies && <p>{t('Bodies hold prompts, code and tool output. Look before you share.')}</p>}
      </div>
      {failure !== null && (
        <p className="bad" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  );
}
