import classNames from 'classnames/bind';
import { useCallback, useEffect, useState } from 'react';
import type { Customization, Customizations } from '../../../app/api/calls/customizations.ts';
import { t } from '../../../app/language/translate.ts';
import { Button } from '../../parts/button.tsx';
import { Switch } from '../../parts/choices.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Ring } from '../../parts/icons.tsx';
import { Failure } from '../../parts/notices.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import inForce from '../in-force/in-force.module.css';
import styles from '../session-dialogs.module.css';
import { useAgentWords, useSessionActions } from '../state/hooks.ts';
import { AddFolderDialog, AddKnownDialog, AddServerDialog } from './add-dialogs.tsx';
import { heldWords, scopeOf, sourceOf, stateWords, whyWords } from './customization-words.ts';

const css = classNames.bind({ ...inForce, ...styles });

/** What a person added for a session or its folder, each with where it comes from and a switch, and the ways to add. */
export function CustomizationsDialog({ session, close }: { session: string; close: () => void }) {
  const { asked, now, again } = useCustomizations(session);
  const [adding, setAdding] = useState<'folder' | 'known' | 'server' | null>(null);
  const agent = useAgentWords();
  if (adding !== null && now !== null) {
    const given = {
      ...{ session, folder: now.folder, isTrusted: now.isTrusted, close: () => setAdding(null) },
      done: () => {
        setAdding(null);
        void again();
      },
    };
    if (adding === 'folder') return <AddFolderDialog {...given} />;
    return adding === 'known' ? <AddKnownDialog {...given} /> : <AddServerDialog {...given} />;
  }
  return (
    <Dialog wide title={t('Customizations')} action={null} close={close}>
      <p className="muted">
        {t(
          '{agent} uses what you add here, in this session or in all sessions in its folder. Changes apply to your next message. Nothing is written into the folder.',
          { agent: agent.name },
        )}
      </p>
      {asked.kind === 'failed' && <Failure text={asked.text} remedy={asked.remedy} />}
      {now !== null && (
        <div className={css('in-force', 'customizations')}>
          {now.customizations.length === 0 ? (
            <p>{t('Nothing was added yet.')}</p>
          ) : (
            <ul aria-label={t('Added')}>
              {now.customizations.map((one) => (
                <Line key={one.id} session={session} customization={one} again={again} />
              ))}
            </ul>
          )}
          <section aria-label={t('Add')} className={css('customization-ways')}>
            {now.takesPlugins && (
              <>
                <Button onClick={() => setAdding('folder')}>{t('Add from a folder…')}</Button>
                <Button onClick={() => setAdding('known')}>{t('Add from a marketplace…')}</Button>
              </>
            )}
            <Button onClick={() => setAdding('server')}>{t('Add an MCP server…')}</Button>
          </section>
        </div>
      )}
    </Dialog>
  );
}

/** Asked once, and as events tell it from then on. */
function useCustomizations(session: string) {
  const { bridge, feed } = useServices();
  const [told, setTold] = useState<Customizations | null>(null);
  const ask = useCallback(async () => {
    const answer = await bridge.customizations(session);
    setTold(answer);
    return answer;
  }, [bridge, session]);
  const { asked, again } = useAsked(ask);
  useEffect(
    () =>
      feed.listenToSessions({
        hear: (news) => {
          if (news.event === 'session-customizations' && news.session === session) setTold(news.now);
        },
        missed: () => void again(),
      }),
    [feed, session, again],
  );
  return { asked, again, now: told ?? asked.last };
}

interface LineProps {
  session: string;
  customization: Customization;
  again: () => Promise<void>;
}

function Line({ session, customization, again }: LineProps) {
  const { id, name, version, description, added, folder, path, holds, isOn, state, why } = customization;
  const actions = useSessionActions();
  const agent = useAgentWords();
  const held = heldWords(holds);
  const words = stateWords(customization);
  return (
    <li aria-label={name} data-state={state}>
      <span className={css('name')}>
        <span className="mono">{name}</span>
        {version !== null && <span className={css('from')}> {version}</span>}
      </span>
      <span className={css('customization-does')}>
        <Switch
          label={name}
          on={isOn}
          change={(on) => void actions.switchCustomization(session, id, on).then(() => again())}
        />
        <Button
          aria-label={t('Remove {name}', { name })}
          onClick={() => void actions.removeCustomization(session, id).then(() => again())}
        >
          {t('Remove')}
        </Button>
      </span>
      <span className={css('says')} title={path ?? undefined}>
        <span className="mono">{sourceOf(added)}</span> · {scopeOf(folder)}
        {held !== '' && (added.kind === 'folder' || added.kind === 'plugin') && ` · ${held}`}
      </span>
      {description !== null && <span className={css('says')}>{description}</span>}
      {words !== null && (
        <span className={css('says')} role="status">
          {state === 'loading' && <Ring size={12} />} {words}
        </span>
      )}
      {why !== null && isOn && (
        <span className={css('says', 'bad')} role="status">
          {whyWords(why, agent.name, sourceOf(added))}{' '}
          {why.code === 'untrusted' && path !== null && (
            <Button onClick={() => void actions.trustFolder(path).then(() => again())}>{t('Trust its folder')}</Button>
          )}
        </span>
      )}
    </li>
  );
}
