import { useMemo } from 'react';
import { t } from '../../app/language/translate.ts';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { useActions } from '../state/actions.ts';
import { copyText } from '../state/copy-text.ts';
import { isRunning } from '../state/log/row.ts';
import { writeRoute } from '../state/routes.ts';
import { useServices } from '../state/services.ts';
import type { CopyForm } from './copy-request.ts';

interface RowActions {
  open: (id: string) => void;
  copy: (id: string, form: CopyForm) => Promise<void>;
  pin: (id: string) => void;
  showOnly: (key: 'session' | 'prompt', id: string) => void;
}

/** What can be done with one request. */
export function RowMenu(props: {
  id: string;
  at: { x: number; y: number };
  close: () => void;
  pinned: boolean;
  actions: RowActions;
}) {
  const { id, at, close, pinned, actions } = props;
  const { store, log } = useServices();
  const { letThrough } = useActions();
  const row = log.row(id);
  const address = `${window.location.href.split('#')[0]}${writeRoute({ place: 'requests', part: id, query: '' })}`;
  const items: MenuItem[] = [
    ...(row?.held === true && isRunning(row)
      ? [{ label: t('Let through'), run: () => letThrough(id) }, 'separator' as const]
      : []),
    { label: t('Open details'), run: () => actions.open(id), hint: 'Enter' },
    { label: pinned ? t('Unpin') : t('Pin'), run: () => actions.pin(id), hint: 'p' },
    'separator',
    { label: t('Copy as cURL'), run: () => void actions.copy(id, 'curl'), hint: 'c' },
    { label: t('Copy as JSON'), run: () => void actions.copy(id, 'json') },
    { label: t('Copy for a bug report'), run: () => void actions.copy(id, 'report') },
    { label: t('Copy id'), run: () => void copyText(store, id) },
    { label: t('Copy link'), run: () => void copyText(store, address) },
    'separator',
    {
      label: t('Show all of this session'),
      run: () => actions.showOnly('session', id),
      disabled: row?.session == null,
      hint: 's',
    },
    { label: t('Show all of this prompt'), run: () => actions.showOnly('prompt', id), disabled: row?.prompt == null },
  ];
  const place = useMemo(() => at, [at]);
  return <Menu label={t('Request')} items={items} close={close} at={place} />;
}
