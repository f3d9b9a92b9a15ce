import classNames from 'classnames/bind';
import { useCallback } from 'react';
import type { InForce, Origin, SessionInForce } from '../../../app/api/session-surroundings.ts';
import { type Message, msg } from '../../../app/language/messages.ts';
import { t, translated } from '../../../app/language/translate.ts';
import { ruleNotation } from '../../../app/words/agents.ts';
import { contextOfRequest, contextOfSession } from '../../../app/words/context.ts';
import { Button } from '../../parts/button.tsx';
import { Switch } from '../../parts/choices.tsx';
import { ContextTable } from '../../parts/context-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/notices.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { showCustomizations } from '../changes/session-dialog.ts';
import { originWords } from '../composer/commands.ts';
import { useHeld, useSessionActions } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import { FolderTrust } from './folder-trust.tsx';
import styles from './in-force.module.css';

const css = classNames.bind(styles);

/** What runs in a session now, each with where it comes from. */
export function InForceDialog({ session, agent, close }: { session: string; agent: string; close: () => void }) {
  const { bridge } = useServices();
  const actions = useSessionActions();
  const { asked, again } = useAsked(useCallback(() => bridge.sessionInForce(session), [bridge, session]));
  const switchPlugin = async (plugins: InForce['plugins'], id: string, on: boolean): Promise<void> => {
    const pluginsOff = plugins.flatMap((plugin) => ((plugin.id === id ? on : plugin.isOn) ? [] : [plugin.id]));
    if (await actions.choose(session, { pluginsOff })) await again();
  };
  const held = useHeld(session);
  const inForce = asked.last?.inForce ?? null;
  return (
    <Dialog wide title={t('In force')} action={null} close={close}>
      {asked.kind === 'loading' && <p className="muted">{t('Asking {agent}…', { agent })}</p>}
      {asked.kind === 'failed' && <Failure text={asked.text} remedy={asked.remedy} />}
      {asked.last !== null && inForce === null && <p>{whyNothing(asked.last, agent)}</p>}
      <div className={css('in-force')}>
        {held !== null && <FolderTrust session={held} />}
        <Added session={session} />
        <AllowedRules session={session} />
        {asked.kind !== 'loading' && <ContextSection session={session} context={inForce?.context ?? null} />}
      </div>
      {inForce !== null && (
        <div className={css('in-force')}>
          {forceSections(inForce, agent).map(({ title, lines }) => (
            <section key={title} aria-label={title}>
              <h3>
                {title} <span className={css('count')}>{lines.length}</span>
              </h3>
              <ul>
                {lines.map(({ key, ...line }) => (
                  <Line key={key} {...line} />
                ))}
              </ul>
            </section>
          ))}
          {inForce.plugins.length > 0 && (
            <Plugins plugins={inForce.plugins} change={(id, on) => void switchPlugin(inForce.plugins, id, on)} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function whyNothing({ why }: SessionInForce, agent: string): string {
  return why === 'not-reported'
    ? t('{agent} doesn’t say what is in force.', { agent })
    : t('{agent} isn’t running in this session. It starts with your next message.', { agent });
}

function Line({ name, isCode, says, isBad, from, path }: Omit<ForceLine, 'key'>) {
  return (
    <li>
      <span className={css('name', { mono: isCode })}>{name}</span>
      <span className={css('from')} title={path ?? undefined}>
        {from}
      </span>
      {says !== '' && <span className={css('says', { bad: isBad })}>{says}</span>}
    </li>
  );
}

function Plugins({ plugins, change }: { plugins: InForce['plugins']; change: (id: string, on: boolean) => void }) {
  return (
    <section aria-label={t('Plugins')}>
      <h3>
        {t('Plugins')} <span className={css('count')}>{plugins.length}</span>
      </h3>
      <p className="muted">{t('Applies to your next message.')}</p>
      <ul>
        {plugins.map(({ id, name, version, path, isOn }) => (
          <li key={id}>
            <span className={css('name', 'mono')}>{name}</span>
            <Switch label={name} on={isOn} change={(on) => change(id, on)} />
            <span className={css('says')} title={path ?? undefined}>
              {[version, id].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The way to what a person added for it. */
function Added({ session }: { session: string }) {
  return (
    <section aria-label={t('Customizations')}>
      <h3>{t('Customizations')}</h3>
      <p className="muted">{t('Plugins, skills, agents, commands and MCP servers that you add for it.')}</p>
      <Button aria-haspopup="dialog" onClick={() => showCustomizations(session)}>
        {t('Customizations…')}
      </Button>
    </section>
  );
}

/** What fills the conversation: as the agent reports it, else by the last request of the session. */
function ContextSection({ session, context }: { session: string; context: InForce['context'] }) {
  const { bridge } = useServices();
  const models = useAsked(useCallback(async () => (await bridge.models()).models, [bridge])).asked.last ?? [];
  const last = useAsked(useCallback(() => bridge.lastExchange(session), [bridge, session])).asked.last;
  const ofLast = last === null ? null : contextOfRequest(last, models);
  const words = context === null ? ofLast : contextOfSession(context, models);
  if (words === null) return null;
  return (
    <section aria-label={t('Context')}>
      <h3>
        {t('Context')} <span className={css('count')}>{words.total}</span>
      </h3>
      <ContextTable context={words} />
    </section>
  );
}

/** What a person allowed for the rest of this session, each to be taken back. Nothing where nothing was allowed. */
function AllowedRules({ session }: { session: string }) {
  const { bridge } = useServices();
  const actions = useSessionActions();
  const { asked, again } = useAsked(useCallback(() => bridge.sessionRules(session), [bridge, session]));
  const rules = asked.last ?? [];
  const takeBack = async (rule: string): Promise<void> => {
    await actions.takeBackRule(session, rule);
    await again();
  };
  if (rules.length === 0) return null;
  return (
    <section aria-label={t('Allowed for this session')}>
      <h3>
        {t('Allowed for this session')} <span className={css('count')}>{rules.length}</span>
      </h3>
      <p className="muted">{t('Done without asking, until the session ends.')}</p>
      <ul>
        {rules.map((rule) => {
          const notation = ruleNotation(rule);
          return (
            <li key={rule.id}>
              <span className={css('name', 'mono')}>
                <ShownText text={notation} />
              </span>
              <Button aria-label={t('Take back {rule}', { rule: notation })} onClick={() => void takeBack(rule.id)}>
                {t('Take back')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** One line of what is in force. */
interface ForceLine {
  key: string;
  /** `mono`: a name that is typed somewhere. */
  name: string;
  isCode: boolean;
  says: string;
  /** Red: it does not work. */
  isBad: boolean;
  from: string;
  /** The file that has it; null if unknown. */
  path: string | null;
}

interface ForceSection {
  title: string;
  lines: readonly ForceLine[];
}

/** All but the plugins, which can be switched. */
export function forceSections(inForce: InForce, agent: string): ForceSection[] {
  const from = (origin: Origin) => ({ from: originWords(origin, agent), path: origin.path });
  const described = ({ name, description, origin }: InForce['agents'][number], prefix = ''): ForceLine => ({
    ...{ key: `${name} ${origin.path ?? ''}`, name: `${prefix}${name}`, isCode: true, says: description, isBad: false },
    ...from(origin),
  });
  const skills = new Set(inForce.skills.map(({ name }) => name));
  const sections: ForceSection[] = [
    {
      title: t('Models'),
      lines: inForce.models.map(({ id, model, efforts }) => ({
        ...{ key: id, name: id, isCode: true, says: [model, efforts.join(', ')].filter(Boolean).join(' · ') },
        ...{ isBad: false, from: agent, path: null },
      })),
    },
    { title: t('Agents'), lines: inForce.agents.map((one) => described(one)) },
    { title: t('Skills'), lines: inForce.skills.map((one) => described(one)) },
    {
      title: t('Commands'),
      lines: inForce.commands.flatMap((one) =>
        one.isSkill || skills.has(one.name) ? [] : [described({ ...one }, '/')],
      ),
    },
    {
      title: t('Hooks'),
      lines: inForce.hooks.map(({ event, matcher, command, origin }, index) => ({
        ...{ key: `${index}`, name: matcher === '' ? event : `${event} ${matcher}`, isCode: true, says: command },
        ...{ isBad: false, ...from(origin) },
      })),
    },
    {
      title: t('MCP servers'),
      lines: inForce.servers.map(({ name, state, error, tools, origin }) => ({
        ...{ key: name, name, isCode: true, says: serverWords(state, error, tools), isBad: state === 'failed' },
        ...from(origin),
      })),
    },
    {
      title: t('CLAUDE.md files'),
      lines: inForce.memory.map(({ path, kind, tokens }) => ({
        ...{
          key: path,
          name: path,
          isCode: true,
          says: t('{tokens, plural, one {# token} other {# tokens}}', { tokens }),
          isBad: false,
        },
        ...{ from: kind, path },
      })),
    },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

const states: Readonly<Record<string, Message>> = {
  connected: msg('Connected'),
  failed: msg('Failed'),
  'needs-auth': msg('Needs a sign-in'),
  pending: msg('Connecting'),
  disabled: msg('Off'),
};

/** `Connected: web_search, web_fetch` */
function serverWords(state: string, error: string | null, tools: readonly string[]): string {
  const more = error ?? tools.join(', ');
  const known = states[state];
  return [known === undefined ? state : translated(known), more].filter(Boolean).join(': ');
}
