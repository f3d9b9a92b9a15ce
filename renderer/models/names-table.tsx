import classNames from 'classnames/bind';
import { Fragment, useEffect, useRef, useState } from 'react';
import type { ModelRow, ModelsReport, NameRow } from '../../app/api/models.ts';
import { t, translated } from '../../app/language/translate.ts';
import { absenceWords, areMultiplied, becauseWords } from '../../app/words/models.ts';
import { IconButton, LinkButton } from '../parts/button.tsx';
import { ChevronDown, ChevronRight, Pencil } from '../parts/icons.tsx';
import { Pill } from '../parts/pill.tsx';
import { rich } from '../parts/rich.tsx';
import { useActions } from '../state/actions.ts';
import { AbsenceText } from './all-models.tsx';
import styles from './models.module.css';
import { OverrideForm } from './override-form.tsx';
import { FigureCells, Heads, PriceDetail } from './prices.tsx';

const css = classNames.bind(styles);

interface NamesTableProps {
  report: ModelsReport;
  /** The name that is edited, in the table or of another client; `''`: a new override; null if there is none. */
  editing: string | null;
  edit: (asked: string | null) => void;
  /** Null if overrides can't be changed from here. */
  save: ((name: string, model: string | null) => Promise<void>) | null;
}

/** What every name that Claude Code may send runs on, and why. */
export function NamesTable({ report, editing, edit, save }: NamesTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const table = useRef<HTMLTableElement>(null);
  const edited = useRef<string | null>(null);
  const multiplied = areMultiplied(report.models);
  const byId = new Map(report.models.map((model) => [model.id, model]));
  const columns = multiplied ? 7 : 9;
  const isListed = report.names.some(({ asked }) => asked === editing);

  // After a form is closed the focus is where it came from.
  useEffect(() => {
    if (editing === null && edited.current !== null) {
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-asked]') ?? [])];
      const row = rows.find(({ dataset }) => dataset.asked === edited.current);
      const origin = row?.querySelector<HTMLElement>('[data-edits]') ?? document.querySelector('[data-adds]');
      if (origin instanceof HTMLElement) origin.focus();
    }
    edited.current = editing;
  }, [editing]);

  const toggle = (asked: string): void => {
    const next = new Set(open);
    if (!next.delete(asked)) next.add(asked);
    setOpen(next);
  };

  return (
    <div className={css('models-frame')}>
      <table
        className={css('models-table', 'names-table', 'figures', 'framed')}
        ref={table}
        aria-label={t('Models for Claude Code’s names')}
      >
        <Heads
          before={[t('Claude Code asks for'), t('Copilot runs'), t('Because')]}
          after={['']}
          multiplied={multiplied}
        />
        <tbody>
          {editing !== null && !isListed && save !== null && (
            <tr className={css('editing')}>
              <td colSpan={columns}>
                <OverrideForm report={report} asked={editing || null} old={null} save={save} close={() => edit(null)} />
              </td>
            </tr>
          )}
          {report.names.map((row) => (
            <Fragment key={row.asked}>
              <Row
                row={row}
                model={byId.get(row.meant ?? '')}
                multiplied={multiplied}
                open={open.has(row.asked)}
                toggle={() => toggle(row.asked)}
                edit={save === null ? null : () => edit(row.asked)}
              />
              {row.absence !== null && row.absence.kind !== 'auto-only' && (
                <tr className={css('absence-row')}>
                  <td colSpan={columns}>
                    <AbsenceText absence={row.absence} />
                  </td>
                </tr>
              )}
              {row.because === 'auto' && (
                <tr className={css('absence-row')}>
                  <td colSpan={columns}>
                    <p className={css('absence')}>{row.text}</p>
                  </td>
                </tr>
              )}
              {open.has(row.asked) && (
                <tr className={css('price-row')}>
                  <td colSpan={columns}>
                    <PriceDetail model={byId.get(row.meant ?? '')} multiplied={multiplied} />
                  </td>
                </tr>
              )}
              {row.asked === editing && save !== null && (
                <tr className={css('editing')}>
                  <td colSpan={columns}>
                    <OverrideForm
                      report={report}
                      asked={row.asked}
                      old={row.override === null ? null : { name: row.override.name, model: targetOf(row) }}
                      save={save}
                      close={() => edit(null)}
                    />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function targetOf({ because, model, meant }: NameRow): string | null {
  return because === 'auto' ? 'auto' : (model ?? meant);
}

interface RowProps {
  row: NameRow;
  model: ModelRow | undefined;
  multiplied: boolean;
  open: boolean;
  toggle: () => void;
  edit: (() => void) | null;
}

function Row({ row, model, multiplied, open, toggle, edit }: RowProps) {
  const actions = useActions();
  return (
    <tr data-testid={`model-row-${row.asked}`} data-asked={row.asked}>
      <th scope="row" className="mono" title={row.asked}>
        <IconButton
          className={css('open-prices')}
          size="small"
          label={t('Prices of {asked}', { asked: row.asked })}
          aria-expanded={open}
          icon={open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          onClick={toggle}
        />
        {row.asked}
      </th>
      <td className="mono" title={row.model ?? undefined}>
        {row.model ?? '–'}
      </td>
      <td title={row.text}>
        <Because row={row} />
      </td>
      <FigureCells model={model} multiplied={multiplied} />
      <td className={css('name-actions')}>
        {row.because === 'disabled' && (
          <LinkButton
            alone
            onClick={() => actions.openGithub('/settings/copilot/features')}
            title={t('Opens GitHub’s page for models')}
          >
            {rich('Enable<wide> on GitHub</wide>', {
              wide: (inside) => <span className={css('wide-only')}>{inside}</span>,
            })}
          </LinkButton>
        )}
        {(row.absence?.kind === 'not-in-catalog' || row.absence?.kind === 'not-allowed') && edit !== null && (
          <LinkButton alone className={css('wide-only')} onClick={edit}>
            {t('Choose a model')}
          </LinkButton>
        )}
        {edit !== null && (
          <IconButton
            label={
              row.override === null
                ? t('Override {asked}', { asked: row.asked })
                : t('Change the override of {asked}', { asked: row.asked })
            }
            data-edits
            icon={<Pencil size={14} />}
            onClick={edit}
          />
        )}
      </td>
    </tr>
  );
}

function Because({ row: { because, override, asked, absence } }: { row: NameRow }) {
  const text = translated(absence === null ? becauseWords[because] : absenceWords[absence.kind]);
  const by =
    override !== null && override.name !== asked ? <span className="muted small"> {override.name}</span> : null;
  switch (because) {
    case 'exact':
    case 'same':
    case 'newest':
      return <span className="muted">{text}</span>;
    case 'auto':
      return (
        <>
          <Pill tone="accent">{text}</Pill>
          {by}
        </>
      );
    case 'lower':
      return <Pill tone="warning">{text}</Pill>;
    case 'override':
      return (
        <>
          <Pill tone="accent">{text}</Pill>
          {by}
        </>
      );
    case 'disabled':
    case 'missing':
      return (
        <>
          <Pill tone="danger">{text}</Pill>
          {override !== null && <span className="muted small"> {t('by your override')}</span>}
        </>
      );
  }
}
