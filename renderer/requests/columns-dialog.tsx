import classNames from 'classnames/bind';
import { useEffect, useRef } from 'react';
import { t, translated } from '../../app/language/translate.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ChevronDown, ChevronUp } from '../parts/icons.tsx';
import { NumberField } from '../parts/text-field.tsx';
import { allColumns, type ColumnName } from './columns.ts';
import { headOf } from './head.tsx';
import {
  canBeHidden,
  type ListSettings,
  lacksRoom,
  movedBy,
  noRoom,
  resized,
  toggled,
  usualChoices,
} from './list-settings.ts';
import styles from './requests.module.css';

const css = classNames.bind(styles);

interface ColumnsDialogProps {
  settings: ListSettings;
  /** The columns that have room; null before the list is drawn. */
  fitted: readonly ColumnName[] | null;
  chargeHead: string;
  close: () => void;
}

/** Columns, their order and width. Changes apply at once. */
export function ColumnsDialog({ settings: { columns, changeColumns }, fitted, chargeHead, close }: ColumnsDialogProps) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<string | null>(null);
  // The button that was pressed goes along with its column, and the focus with the button; at an end the other button
  // takes it.
  useEffect(() => {
    if (moved.current === null) return;
    const pressed = list.current?.querySelector<HTMLButtonElement>(`[data-move="${moved.current}"]`);
    const other = pressed?.parentElement?.querySelector<HTMLButtonElement>('button:not(:disabled)');
    (pressed?.disabled === true ? other : pressed)?.focus();
    moved.current = null;
  });
  return (
    <Dialog title={t('Arrange columns')} action={null} close={close} wide>
      <p className="muted small">{t('Columns for which the list is too narrow are left out until it is wider.')}</p>
      <ol className={css('column-list')} ref={list}>
        {columns.map((choice, index) => {
          const { name, shown, width } = choice;
          const column = allColumns.find((one) => one.name === name);
          if (column === undefined) return null;
          const title = headOf(column, chargeHead);
          const move = (by: -1 | 1) => (
            <IconButton
              label={by < 0 ? t('Move {title} to the left', { title }) : t('Move {title} to the right', { title })}
              icon={by < 0 ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
              data-move={`${name}${by}`}
              disabled={movedBy(columns, name, by) === columns}
              onClick={() => {
                moved.current = `${name}${by}`;
                changeColumns((now) => movedBy(now, name, by));
              }}
            />
          );
          return (
            <li key={name} data-column-choice={name} value={index + 1}>
              <label>
                <input
                  type="checkbox"
                  checked={shown}
                  disabled={!canBeHidden(name)}
                  onChange={() => changeColumns((now) => toggled(now, name))}
                />
                {title}
                {lacksRoom(choice, fitted) && <span className="muted small">{translated(noRoom)}</span>}
              </label>
              {column.grows ? (
                <span className="muted small">{t('takes what is left')}</span>
              ) : (
                <span className={css('column-width')}>
                  <NumberField
                    label={t('Width of {title} in pixels', { title })}
                    digits={4}
                    value={width ?? column.width}
                    invalid={false}
                    disabled={!shown}
                    done={(px) => px !== null && changeColumns((now) => resized(now, name, px))}
                  />
                  <span className="muted small">px</span>
                </span>
              )}
              {move(-1)}
              {move(1)}
            </li>
          );
        })}
      </ol>
      <Button onClick={() => changeColumns(() => usualChoices)}>{t('Reset columns')}</Button>
    </Dialog>
  );
}
