import classNames from 'classnames/bind';
import { type ReactElement, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { KnownPlugin, PluginOffer } from '../../../app/api/calls/customizations.ts';
import type { Added } from '../../../app/api/session-surroundings.ts';
import { listed } from '../../../app/language/formats.ts';
import { t } from '../../../app/language/translate.ts';
import { Button } from '../../parts/button.tsx';
import { Segmented } from '../../parts/choices.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/notices.tsx';
import { rich } from '../../parts/rich.tsx';
import { callFailure, useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { baseName, shortFolder } from '../paths.ts';
import styles from '../session-dialogs.module.css';
import { useAgentWords, useSessionActions } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import { programWords, whyWords, wordsOfLine } from './customization-words.ts';

const css = classNames.bind(styles);

interface AddProps {
  session: string;
  /** The folder of the session, and whether it is trusted. */
  folder: string;
  isTrusted: boolean;
  close: () => void;
  done: () => void;
}

type Scope = 'session' | 'folder';
type PluginAdded = Extract<Added, { kind: 'folder' | 'plugin' }>;

/** Asks what a plugin has, adds it, and keeps what failed. */
function useAdding({ session, done }: AddProps) {
  const { bridge } = useServices();
  const [scope, setScope] = useState<Scope>('session');
  const [offer, setOffer] = useState<{ added: PluginAdded; offer: PluginOffer } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const tried = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      const { text, remedy } = callFailure(error);
      setProblem(`${text} ${remedy}`.trim());
    } finally {
      setBusy(false);
    }
  };
  return {
    ...{ scope, setScope, offer, isBusy, problem },
    forget: () => {
      setOffer(null);
      setProblem(null);
    },
    look: (added: PluginAdded) => tried(async () => setOffer({ added, offer: await bridge.pluginOffer(added) })),
    add: (added: Added, trust: boolean) =>
      tried(async () => {
        await bridge.addCustomization({ session, scope, added, trust });
        done();
      }),
  };
}

/** A folder that is a plugin, or has skills, agents or commands. */
export function AddFolderDialog(props: AddProps) {
  const adding = useAdding(props);
  const { chooseFolder } = useSessionActions();
  const [path, setPath] = useState('');
  const note = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const look = (written: string): void => void adding.look({ kind: 'folder', path: written });
  const choose = async (): Promise<void> => {
    const chosen = (await chooseFolder?.()) ?? null;
    if (chosen === null) return;
    setPath(chosen);
    look(chosen);
  };
  return (
    <AddPluginDialog {...props} adding={adding} title={t('Add from a folder')}>
      <form
        className={css('customization-field')}
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() !== '') look(path.trim());
        }}
      >
        <input
          ref={field}
          className="field mono"
          aria-label={t('Path of the folder')}
          aria-describedby={note}
          spellCheck={false}
          value={path}
          onChange={(event) => {
            setPath(event.target.value);
            adding.forget();
          }}
        />
        {chooseFolder !== null && <Button onClick={() => void choose()}>{t('Choose…')}</Button>}
        <Button type="submit" disabled={path.trim() === '' || adding.isBusy}>
          {t('Look inside')}
        </Button>
      </form>
      <p id={note} className="muted">
        {t('A plugin, or a folder with skills, commands or agents. Nothing in it runs while you look.')}
      </p>
    </AddPluginDialog>
  );
}

/** A plugin of a marketplace that Claude Code knows on this machine. */
export function AddKnownDialog(props: AddProps) {
  const adding = useAdding(props);
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.knownPlugins(), [bridge]));
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <AddPluginDialog {...props} adding={adding} title={t('Add from a marketplace')}>
      <p className="muted">
        {t('Marketplaces that Claude Code knows on this machine. Jumpseat asks none of them and downloads nothing.')}
      </p>
      {asked.kind === 'failed' && <Failure text={asked.text} remedy={asked.remedy} />}
      {asked.last?.length === 0 && (
        <p>{t('Claude Code knows no marketplace yet. “{line}” in a terminal adds one.', { line: addLine })}</p>
      )}
      {asked.last !== null && asked.last.length > 0 && (
        <fieldset className={css('customization-known')} aria-label={t('Plugins')}>
          {asked.last.map((plugin) => (
            <KnownChoice
              key={plugin.id}
              plugin={plugin}
              isChosen={chosen === plugin.id}
              choose={() => {
                setChosen(plugin.id);
                adding.forget();
                void adding.look({ kind: 'plugin', id: plugin.id });
              }}
            />
          ))}
        </fieldset>
      )}
    </AddPluginDialog>
  );
}

const addLine = 'claude plugin marketplace add';

function KnownChoice({ plugin, isChosen, choose }: { plugin: KnownPlugin; isChosen: boolean; choose: () => void }) {
  const { id, name, marketplace, description, path, isOnEverywhere } = plugin;
  const agent = useAgentWords();
  const why = isOnEverywhere
    ? t('On in all your sessions')
    : path === null
      ? whyWords({ code: 'not-here', detail: null }, agent.name, id)
      : null;
  return (
    <label className={css('dialog-choice')}>
      <input type="radio" name="known-plugin" checked={isChosen} disabled={why !== null} onChange={choose} />
      <span>
        <span className="mono">{name}</span> <span className="muted small">{marketplace}</span>
        {description !== null && <span className={css('small', 'customization-about')}>{description}</span>}
        {why !== null && <span className={css('muted', 'small', 'customization-about')}>{why}</span>}
      </span>
    </label>
  );
}

interface AddPluginProps extends AddProps {
  adding: ReturnType<typeof useAdding>;
  title: string;
  children: ReactNode;
}

function AddPluginDialog({ adding, title, children, folder, isTrusted, close }: AddPluginProps) {
  const { offer, isBusy, problem } = adding;
  const found = offer?.offer ?? null;
  const trusts = found !== null && !found.isTrusted;
  return (
    <Dialog
      wide
      {...{ title, close }}
      action={{
        label: trusts ? t('Trust {folder} and add', { folder: baseName(found.path ?? found.name) }) : t('Add'),
        run: () => offer !== null && void adding.add(offer.added, trusts),
        disabled: offer === null || found?.why != null || isBusy,
      }}
    >
      {children}
      {found !== null && <Offer offer={found} folder={folder} isTrusted={isTrusted} />}
      {found !== null && found.why === null && (
        <ScopeChoice folder={folder} scope={adding.scope} choose={adding.setScope} />
      )}
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

/** What it has, and what it would run. */
function Offer({ offer, folder, isTrusted }: { offer: PluginOffer; folder: string; isTrusted: boolean }) {
  const { name, version, description, path, holds, why } = offer;
  const agent = useAgentWords();
  if (why !== null) {
    return (
      <p className="bad" role="alert">
        {whyWords(why, agent.name, name)}
      </p>
    );
  }
  const parts: [string, readonly string[]][] = [
    [t('Skills'), holds.skills],
    [t('Commands'), holds.commands],
    [t('Agents'), holds.agents],
  ];
  return (
    <section className={css('customization-offer')} aria-label={name} role="status">
      <p>
        <strong className="mono">{name}</strong> {version !== null && <span className="muted">{version}</span>}
      </p>
      {description !== null && <p>{description}</p>}
      {path !== null && (
        <p className="small muted">{rich('Its files: <mono>{folder}</mono>', { folder: path, mono: inMono })}</p>
      )}
      {parts
        .filter(([, names]) => names.length > 0)
        .map(([title, names]) => (
          <p key={title} className="small">
            {title}: <span className="mono">{listed(names)}</span>
          </p>
        ))}
      {holds.runs.length > 0 && (
        <>
          <p className="warning-text">
            {t('It runs programs on this machine, as you:')} {!isTrusted && untrustedWords(folder)}
          </p>
          <ul className={css('customization-runs')}>
            {holds.runs.map((program) => (
              <li key={`${program.kind} ${program.name} ${program.command}`} className="mono small">
                <ShownText text={programWords(program)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Of the session's folder, not of the one that has the files. */
function untrustedWords(folder: string): string {
  return t('This session runs in {folder}, which you don’t trust. It isn’t loaded there before you do.', {
    folder: shortFolder(folder),
  });
}

const inMono = (inside: ReactElement): ReactElement => <span className="mono">{inside}</span>;

function ScopeChoice({ folder, scope, choose }: { folder: string; scope: Scope; choose: (scope: Scope) => void }) {
  const choices: [Scope, string][] = [
    ['session', t('This session only')],
    ['folder', t('All sessions in {folder}', { folder: shortFolder(folder) })],
  ];
  return (
    <fieldset className={css('customization-scope')}>
      <legend>{t('Add it for')}</legend>
      {choices.map(([name, label]) => (
        <label key={name} className={css('dialog-choice')}>
          <input type="radio" name="scope" checked={scope === name} onChange={() => choose(name)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A server for MCP: a program on this machine, or an address. */
export function AddServerDialog(props: AddProps) {
  const { folder, isTrusted, close } = props;
  const adding = useAdding(props);
  const [kind, setKind] = useState<'command' | 'address'>('command');
  const [name, setName] = useState('');
  const [line, setLine] = useState('');
  const fields = useId();
  const added = serverOf(kind, name.trim(), line.trim());
  const isBadName = name.trim() !== '' && !/^[\w-]{1,64}$/.test(name.trim());
  return (
    <Dialog
      wide
      title={t('Add an MCP server')}
      close={close}
      action={{
        label: t('Add'),
        run: () => added !== null && void adding.add(added, false),
        disabled: added === null || adding.isBusy,
      }}
    >
      <form
        className={css('customization-form')}
        onSubmit={(event) => {
          event.preventDefault();
          if (added !== null) void adding.add(added, false);
        }}
      >
        <label htmlFor={`${fields}-name`}>{t('Name')}</label>
        <input
          id={`${fields}-name`}
          autoFocus
          className="field mono"
          aria-invalid={isBadName}
          aria-describedby={`${fields}-note`}
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <p id={`${fields}-note`} className={isBadName ? 'bad' : 'muted'}>
          {t('Letters, digits, - and _. Its tools are called by it.')}
        </p>
        <Segmented
          label={t('Kind of server')}
          segments={[
            { name: 'command', label: t('Command') },
            { name: 'address', label: t('Address') },
          ]}
          chosen={kind}
          choose={setKind}
        />
        <input
          className="field mono"
          aria-label={kind === 'command' ? t('Command') : t('Address')}
          placeholder={kind === 'command' ? 'npx -y @scope/server' : 'https://mcp.example.com/mcp'}
          spellCheck={false}
          value={line}
          onChange={(event) => setLine(event.target.value)}
        />
        <p className={kind === 'command' ? 'warning-text' : 'muted'}>
          {kind === 'command'
            ? t('This runs on this machine, as you, in the folder of the session, whenever the session starts.')
            : t('The model’s calls of its tools are sent there.')}{' '}
          {kind === 'command' && !isTrusted && untrustedWords(folder)}
        </p>
        <p className="muted">
          {t('Keys and headers can’t be given here. Add a server that needs them in Claude Code itself.')}
        </p>
        <ScopeChoice folder={folder} scope={adding.scope} choose={adding.setScope} />
        <button type="submit" hidden disabled={added === null} />
      </form>
      {adding.problem !== null && (
        <p className="bad" role="alert">
          {adding.problem}
        </p>
      )}
    </Dialog>
  );
}

/** Null as long as something is missing. */
function serverOf(kind: 'command' | 'address', name: string, line: string): Added | null {
  if (!/^[\w-]{1,64}$/.test(name)) return null;
  if (kind === 'address') return /^https?:\/\/\S+$/.test(line) ? { kind, name, url: line } : null;
  const [command, ...args] = wordsOfLine(line);
  return command === undefined || command === '' ? null : { kind, name, command, args };
}
