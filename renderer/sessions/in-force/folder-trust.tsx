import classNames from 'classnames/bind';
import { useCallback } from 'react';
import type { FolderFacts } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { listed } from '../../../app/language/formats.ts';
import { t } from '../../../app/language/translate.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { Button } from '../../parts/button.tsx';
import { rich } from '../../parts/rich.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import composer from '../composer/composer.module.css';
import { isIn } from '../paths.ts';
import { useAgentWords, useSessionActions, useSessions } from '../state/hooks.ts';
import styles from './in-force.module.css';

const css = classNames.bind({ ...composer, ...styles });

/** Null if it holds nothing that counts once it is trusted. */
interface Trust extends Pick<FolderFacts, 'gives'> {
  /** The folder itself, or those above it, that the person trusts. */
  by: readonly string[];
}

async function trustOf(bridge: Bridge, cwd: string): Promise<Trust | null> {
  const [{ path, gives }, trusted] = await Promise.all([bridge.folder(cwd), bridge.trustedFolders()]);
  return gives.length === 0 ? null : { gives, by: trusted.filter((folder) => isIn(path, folder)) };
}

/** Whether a session runs in a folder whose files are not used, because nobody trusts it. */
export function useIsUntrusted({ cwd, state }: Pick<Session, 'cwd' | 'state'>): boolean {
  const { bridge } = useServices();
  const changes = useSessions(({ trustChanges }) => trustChanges);
  const hasProcess = state !== 'unloaded' && state !== 'provisional';
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when a process or trust comes or goes.
  const ask = useCallback(async () => {
    // What a folder holds is cheap to ask only of an untrusted one: git counts changes in others.
    if ((await bridge.trustedFolders()).some((folder) => isIn(cwd, folder))) return null;
    return await trustOf(bridge, cwd);
  }, [bridge, cwd, hasProcess, changes]);
  return useAsked(ask).asked.last?.by.length === 0;
}

/** Whether files of the session's folder are used, with the way to trust it and to take that back. */
export function FolderTrust({ session }: { session: Session }) {
  const { cwd, state, tasks } = session;
  const { bridge } = useServices();
  const actions = useSessionActions();
  const agent = useAgentWords();
  const { asked, again } = useAsked(useCallback(() => trustOf(bridge, cwd), [bridge, cwd]));
  const trust = asked.last;
  if (trust === null) return null;
  const isIdle = state === 'idle' && tasks.length === 0;
  const change = async (folder: string, to: 'trusted' | 'not-trusted'): Promise<void> => {
    if (await actions.changeTrust(session, folder, to)) await again();
  };
  const isTrusted = trust.by.length > 0;
  return (
    <section aria-label={t('Trust')}>
      <h3>{t('Trust')}</h3>
      <p className="muted">
        {isTrusted
          ? t('You trust this folder: {agent} uses {files} in it.', { agent: agent.name, files: listed(trust.gives) })
          : t('You don’t trust this folder: {agent} ignores {files} in it.', {
              agent: agent.name,
              files: listed(trust.gives),
            })}{' '}
        {isIdle || state === 'unloaded'
          ? t('A change applies to your next message, and to later sessions.')
          : t('A change applies after this session is unloaded, and to later sessions.')}
      </p>
      <ul>
        {(isTrusted ? trust.by : [cwd]).map((folder) => (
          <li key={folder}>
            <span className={css('name', 'mono')}>{folder}</span>
            {isTrusted ? (
              <Button
                aria-label={t('Take back trust in {folder}', { folder })}
                onClick={() => void change(folder, 'not-trusted')}
              >
                {t('Take back')}
              </Button>
            ) : (
              <Button onClick={() => void change(folder, 'trusted')}>{t('Trust this folder')}</Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TrustNoteProps {
  /** What in the folder would run, or be followed. */
  gives: readonly string[];
  /** Null if there is nothing to send, or it can't be sent now. */
  trustAndSend: (() => Promise<void>) | null;
}

/** What counts in a folder only once the person trusts it. */
export function TrustNote({ gives, trustAndSend }: TrustNoteProps) {
  const agent = useAgentWords();
  return (
    <div className={css('composer-why')} data-testid="trust">
      <span>
        {rich(
          '<mono>{files}</mono> in this folder can give {agent} commands. Send ignores {count, plural, one {it} other {them}}. Trust and send uses {count, plural, one {it} other {them}}, also in later sessions. In force… in the session’s menu takes that back.',
          {
            files: listed(gives),
            agent: agent.name,
            count: gives.length,
            mono: (inside) => <span className="mono">{inside}</span>,
          },
        )}
      </span>
      <Button size="small" disabled={trustAndSend === null} onClick={() => void trustAndSend?.()}>
        {t('Trust and send')}
      </Button>
    </div>
  );
}
