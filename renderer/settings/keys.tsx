import classNames from 'classnames/bind';
import { useCallback, useEffect, useState } from 'react';
import type { KeyWish, NamedKey } from '../../app/api/keys.ts';
import type { Preferences } from '../../app/api/settings.ts';
import { msg } from '../../app/language/messages.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { dayAndTime, moment } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { useMinute, useSecond } from '../parts/now.ts';
import { SavedText } from '../parts/text-field.tsx';
import { callFailure, useAsked } from '../state/asked.ts';
import { useNews } from '../state/news.ts';
import { toast } from '../state/notices.ts';
import { ask } from '../state/questions.ts';
import { useServices } from '../state/services.ts';
import { ChangeError, Select, Setting, translatedChoices } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

const empty = { name: '', clients: '', expires: 'never' } as const;
const lifetimes = [
  { value: 'never', label: msg('Never expires') },
  { value: '7', label: msg('Expires in 7 days') },
  { value: '30', label: msg('Expires in 30 days') },
  { value: '90', label: msg('Expires in 90 days') },
  { value: '365', label: msg('Expires in a year') },
] as const;
type Draft = { name: string; clients: string; expires: (typeof lifetimes)[number]['value'] };

/** Further local keys: one is created and copied here, and never shown. */
export function NamedKeys({ names }: { names: Preferences['keys'] }) {
  const { bridge, store } = useServices();
  const { asked, again } = useAsked(useCallback(() => bridge.namedKeys(), [bridge]));
  const [draft, setDraft] = useState<Draft>(empty);
  const [error, setError] = useState<string | null>(null);
  const minute = useMinute();
  // A command or another window may have changed them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other names are other keys, and they are used meanwhile.
  useEffect(() => void again(), [names.join(), minute, again]);
  useNews(again);
  const { copyNewKey } = bridge;
  if (copyNewKey === null) return null;
  const attempt = async (change: () => Promise<void>): Promise<void> => {
    setError(null);
    try {
      await change();
    } catch (thrown) {
      const { text, remedy } = callFailure(thrown);
      setError(sentences(text, remedy));
    }
    await again();
  };
  const wish: KeyWish = {
    name: draft.name.trim(),
    clients: draft.clients.split(',').flatMap((label) => label.trim() || []),
    days: draft.expires === 'never' ? null : Number(draft.expires),
  };
  const create = () =>
    attempt(async () => {
      await copyNewKey(wish);
      toast(store, t('Key “{name}” copied. It can’t be copied again.', { name: wish.name }));
      setDraft(empty);
    });
  const edit = (some: Partial<Draft>): void => {
    setDraft({ ...draft, ...some });
    setError(null);
  };
  return (
    <>
      <Setting
        className={css('wide')}
        title={t('More keys')}
        help={t(
          'For a program or machine of its own. Each can be revoked alone, has its own limits if you set some, and opens what the local key opens.',
        )}
      >
        <form
          className={css('saving-form')}
          onSubmit={(event) => {
            event.preventDefault();
            if (wish.name !== '') void create();
          }}
        >
          <SavedText
            label={t('Name of the key')}
            value={draft.name}
            size={12}
            placeholder={t('Name')}
            invalid={error !== null}
            type={(text) => edit({ name: text ?? '' })}
          />
          <SavedText
            label={t('For these clients only')}
            value={draft.clients}
            size={14}
            placeholder={t('Any client')}
            invalid={false}
            type={(text) => edit({ clients: text ?? '' })}
          />
          <Select
            label={t('Expires')}
            chosen={draft.expires}
            choices={translatedChoices(lifetimes)}
            choose={(expires) => edit({ expires })}
          />
          <Button type="submit" disabled={wish.name === ''}>
            {t('Create and copy')}
          </Button>
          <ChangeError error={error} />
        </form>
      </Setting>
      <KeyTable
        found={asked.last ?? []}
        revoke={(name) =>
          ask(store, {
            title: t('Revoke the key “{name}”?', { name }),
            text: t('Programs with it get error 401 from now on. Answers that run with it are ended.'),
            safe: t('Cancel'),
            action: t('Revoke'),
            run: () => void attempt(() => bridge.revokeKey(name)),
          })
        }
      />
    </>
  );
}

function KeyTable({ found, revoke }: { found: readonly NamedKey[]; revoke: (name: string) => void }) {
  const minute = useMinute();
  // A key that is in use now is read as seconds ago, which would stand still between two minutes.
  const second = useSecond(found.some(({ lastUsedAt }) => lastUsedAt !== null && minute - lastUsedAt < 60_000));
  const now = Math.max(minute, second);
  if (found.length === 0) return null;
  return (
    <div className="table-scroll">
      <table className={css('plain-table', 'own-limits', 'named-keys')} aria-label={t('More keys')}>
        <thead>
          <tr>
            <th scope="col">{t('Key')}</th>
            <th scope="col">{t('For')}</th>
            <th scope="col">{t('Expires')}</th>
            <th scope="col">{t('Last used')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {found.map(({ name, clients, expiresAt, lastUsedAt }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{clients.join(', ') || t('Any client')}</td>
              <td>{expiresAt === null ? t('Never') : expiresAt <= now ? t('Expired') : dayAndTime(expiresAt)}</td>
              <td>{lastUsedAt === null ? '–' : moment(lastUsedAt, now)}</td>
              <td>
                <Button onClick={() => revoke(name)}>{t('Revoke…')}</Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
