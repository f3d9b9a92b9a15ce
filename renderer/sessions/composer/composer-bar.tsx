import classNames from 'classnames/bind';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { ModelRow } from '../../../app/api/models.ts';
import type { SessionOffers } from '../../../app/api/session-surroundings.ts';
import type { Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { effortWords } from '../../../app/words/agents.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { ChevronDown, Paperclip, Stop, Template } from '../../parts/icons.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { useServices } from '../../state/services.ts';
import {
  isBrowserWindow,
  isKey,
  keyWords,
  type SessionShortcut,
  sessionShortcuts,
  useKeyTitles,
} from '../session-shortcuts.ts';
import { useAgentWords, useSessions } from '../state/hooks.ts';
import styles from './composer.module.css';
import { ModeMenu, modeIcon, modeInForce, modeName } from './mode-menu.tsx';
import { EffortMenu, ModelMenu } from './model-menu.tsx';
import { steeringWords } from './sending.ts';

const css = classNames.bind(styles);

export type BarMenu = 'model' | 'effort' | 'mode';

interface ComposerBarProps {
  session: Pick<Session, 'id' | 'model' | 'effort' | 'mode'>;
  offers: SessionOffers | null;
  models: readonly ModelRow[];
  choose: (choice: { model?: string; effort?: string | null; mode?: string }) => void;
  neverAsk: (() => void) | null;
  attach: (files: readonly File[]) => void;
  /** Opens the system's own dialog; null in a browser, which has one of its own. */
  chooseFiles: (() => void) | null;
  /** The menu that is open; null if there is none. */
  menu: BarMenu | null;
  setMenu: (menu: BarMenu | null) => void;
  /** Null if nothing is written. */
  saveTemplate: (() => void) | null;
  showTemplates: () => void;
  /** Another program has it open, in a mode that isn't known. */
  isDisabled: boolean;
  /** What sends and stops. */
  children: ReactNode;
}

/** What the next message runs with, and the buttons that send it. */
export function ComposerBar(props: ComposerBarProps) {
  const { session, offers, models, choose, menu, setMenu, isDisabled } = props;
  const chosenFiles = useRef<HTMLInputElement>(null);
  const effortButton = useRef<HTMLButtonElement>(null);
  const model = chosenModel(session, offers, useUsedModel(session.id));
  const efforts = model.efforts ?? [];
  // What a model doesn’t have is not in force, whatever was chosen for another one.
  const effort = model.efforts?.length === 0 ? null : (session.effort.wanted ?? session.effort.applied);
  const mode = session.mode.applied ?? session.mode.wanted;
  const inForce = modeInForce(offers?.modes ?? [], mode);
  const agent = useAgentWords();
  const close = () => setMenu(null);
  useMenuKeys(setMenu, isDisabled);
  const attached = useRef(props.attach);
  attached.current = props.attach;
  // React has no event for a dialog of files that is closed without one.
  useEffect(() => {
    const input = chosenFiles.current;
    const cancelled = (): void => attached.current([]);
    input?.addEventListener('cancel', cancelled);
    return () => input?.removeEventListener('cancel', cancelled);
  }, []);
  const chooseEffort = { chosen: effort, efforts, choose: (next: string | null) => choose({ effort: next }) };

  return (
    <div className={css('composer-bar')}>
      {props.chooseFiles === null && (
        <input
          ref={chosenFiles}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            props.attach([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      )}
      <IconButton
        label={t('Attach files')}
        icon={<Paperclip size={16} />}
        disabled={isDisabled}
        onClick={props.chooseFiles ?? (() => chosenFiles.current?.click())}
      />
      <TemplateMenu {...{ isDisabled }} save={props.saveTemplate} show={props.showTemplates} />
      <BarChoice
        name={t('Model')}
        label={t('Model: {name}', { name: model.name })}
        opens={sessionShortcuts.view.model}
        words={
          <>
            <span className="mono ell">{model.name}</span>
            <span className={css('narrow')}> · {effort === null ? t('Effort') : effortWords(effort)}</span>
          </>
        }
        isOpen={menu === 'model'}
        open={() => setMenu('model')}
        {...{ isDisabled }}
        menu={(anchor) => (
          <ModelMenu
            {...{ anchor, close }}
            offered={offers?.models ?? []}
            rows={models}
            chosen={session.model.wanted ?? session.model.applied}
            choose={(next) => choose({ model: next })}
            effort={effortButton.current?.offsetParent === null ? chooseEffort : null}
          />
        )}
      />
      <BarChoice
        className={css('wide')}
        button={effortButton}
        name={t('Effort')}
        label={
          effort === null ? t('Effort: The model decides') : t('Effort: {effort}', { effort: effortWords(effort) })
        }
        words={effort === null ? t('Effort') : t('Effort: {effort}', { effort: effortWords(effort) })}
        isOpen={menu === 'effort'}
        open={() => setMenu('effort')}
        {...{ isDisabled }}
        menu={(anchor) => <EffortMenu {...{ anchor, close }} {...chooseEffort} />}
      />
      {!isDisabled && (
        <BarChoice
          className={css({ risky: inForce.asksNothing })}
          name={t('Permissions')}
          label={t('Permissions: {name}', { name: inForce.name })}
          opens={sessionShortcuts.view.permissions}
          title={insteadWords(session.mode, offers, { agent: agent.title, model: model.name })}
          words={inForce.name}
          icon={modeIcon(mode, 14)}
          isOpen={menu === 'mode'}
          open={() => setMenu('mode')}
          testId="mode"
          {...{ isDisabled }}
          menu={(anchor) => (
            <ModeMenu
              {...{ anchor, close }}
              modes={offers?.modes ?? []}
              chosen={mode ?? offers?.modes[0]?.id ?? null}
              model={model.name}
              choose={(next) => choose({ mode: next })}
              neverAsk={props.neverAsk}
            />
          )}
        />
      )}
      <span className={css('push')}>{props.children}</span>
    </div>
  );
}

interface TemplateMenuProps {
  save: (() => void) | null;
  show: () => void;
  isDisabled: boolean;
}

function TemplateMenu({ save, show, isDisabled }: TemplateMenuProps) {
  const isBrowser = isBrowserWindow(useServices().bridge);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const close = (): void => setButton(null);
  const items: MenuItem[] = [
    { label: t('Save as a template…'), run: save ?? close, disabled: save === null },
    { label: t('Templates…'), run: show, hint: keyWords(sessionShortcuts.view.templates, isBrowser) },
  ];
  return (
    <>
      <IconButton
        label={t('Templates')}
        icon={<Template size={16} />}
        aria-haspopup="menu"
        aria-expanded={button !== null}
        disabled={isDisabled}
        onClick={({ currentTarget }) => setButton(currentTarget)}
      />
      {button !== null && (
        <Menu
          label={t('Templates')}
          at={button}
          above={button.closest<HTMLElement>(`.${styles.composer}`) ?? button}
          {...{ items, close }}
        />
      )}
    </>
  );
}

interface ChosenModel {
  /** The account's, where that is known. */
  name: string;
  /** Null if unknown. */
  efforts: readonly string[] | null;
}

/** What an agent says it runs with where it chooses by itself. */
const agentsChoice = 'default';

/** @param used the model that answered last; where the agent chooses, it is the only one that is known */
export function chosenModel(
  { model }: Pick<Session, 'model'>,
  offers: SessionOffers | null,
  used: string | null,
): ChosenModel {
  const named = model.wanted ?? model.applied;
  const id = named === null || named === agentsChoice ? used : named;
  const offered = offers?.models.find((one) => one.id === id || one.model === id);
  if (id !== null || offers === null)
    return { name: offered?.model ?? id ?? t('Model'), efforts: offered?.efforts ?? null };
  // Any of them may be meant.
  return { name: t('Model'), efforts: [...new Set(offers.models.flatMap(({ efforts }) => efforts))] };
}

/** The model that answered last; null if none did yet. */
export function useUsedModel(session: string): string | null {
  return useSessions(({ conversations }) => {
    const turns = conversations.get(session)?.conversation?.turns ?? [];
    return turns.findLast(({ models }) => models.length > 0)?.models[0] ?? null;
  });
}

/**
 * `You chose Plan only; Claude Code took another.` No reason comes with it but for one: on a model without Auto,
 * claude-agent-acp takes Accept edits in its place.
 */
export function insteadWords(
  { wanted, applied }: Session['mode'],
  offers: Pick<SessionOffers, 'modes'> | null,
  { agent, model }: { agent: string; model: string },
): string | undefined {
  if (wanted === null || applied === null || wanted === applied) return undefined;
  if (wanted === 'auto' && applied === 'acceptEdits')
    return t('You chose Auto; {model} doesn’t offer this.', { model });
  const mode = offers?.modes.find(({ id }) => id === wanted);
  return t('You chose {mode}; {agent} took another.', {
    mode: mode === undefined ? wanted : modeName(mode),
    agent,
  });
}

interface BarChoiceProps {
  /** What is chosen here. */
  name: string;
  /** The same with the choice. */
  label: string;
  /** Shown in place of the name. */
  title?: string | undefined;
  /** The key that opens it. */
  opens?: SessionShortcut;
  words: ReactNode;
  icon?: ReactNode;
  className?: string;
  testId?: string;
  button?: { current: HTMLButtonElement | null };
  isOpen: boolean;
  isDisabled: boolean;
  open: () => void;
  menu: (anchor: HTMLElement) => ReactNode;
}

function BarChoice(props: BarChoiceProps) {
  const { name, label, title = name, words, icon, className, button, isOpen, isDisabled, open, menu, testId } = props;
  const [own, setOwn] = useState<HTMLButtonElement | null>(null);
  const { titled } = useKeyTitles();
  const titledBy = (words: string) => (props.opens === undefined ? { title: words } : titled(words, props.opens));
  return (
    <>
      <button
        ref={(shown) => {
          setOwn(shown);
          if (button !== undefined) button.current = shown;
        }}
        type="button"
        className={css('button', 'quiet', 'bar-choice', className)}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...titledBy(title)}
        data-testid={testId}
        disabled={isDisabled}
        onClick={open}
      >
        {icon}
        {words}
        <ChevronDown size={16} />
      </button>
      {isOpen && own !== null && menu(own.offsetParent === null ? (own.parentElement ?? own) : own)}
    </>
  );
}

/** The keys that open the permissions and the models, wherever the focus is. */
function useMenuKeys(setMenu: (menu: BarMenu) => void, isDisabled: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { permissions, model } = sessionShortcuts.view;
      const menu = isKey(event, permissions) ? 'mode' : isKey(event, model) ? 'model' : null;
      if (menu === null || isDisabled || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setMenu(menu);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [setMenu, isDisabled]);
}

interface SendButtonsProps {
  work: 'idle' | 'running' | 'starting' | 'stopping';
  isBlank: boolean;
  isOff: boolean;
  /** `Queue` in place of `Send`: it waits until Copilot answers. */
  sendsLater: boolean;
  enterWhileRunning: 'queue' | 'steer';
  go: (way: 'send' | 'queue' | 'steer') => void;
  stop: () => void;
}

export function SendButtons({ work, isBlank, isOff, sendsLater, enterWhileRunning, go, stop }: SendButtonsProps) {
  const agent = useAgentWords();
  const { titled } = useKeyTitles();
  if (work === 'idle') {
    const isGrey = isBlank || isOff;
    return (
      <Button
        look={isGrey ? 'plain' : 'primary'}
        {...titled(sendsLater ? t('Queue') : t('Send'), sessionShortcuts.message.send)}
        disabled={isGrey}
        onClick={() => go('send')}
      >
        {sendsLater ? t('Queue') : t('Send')}
      </Button>
    );
  }
  const wayTitles = { steer: steeringWords(agent), queue: t('It is sent after this turn') };
  // What Enter does stands last.
  const ways = enterWhileRunning === 'queue' ? (['steer', 'queue'] as const) : (['queue', 'steer'] as const);
  return (
    <>
      <Button icon={<Stop size={12} />} disabled={work === 'stopping'} onClick={stop}>
        {t('Stop')}
        {work === 'running' && isBlank && <kbd>Esc</kbd>}
      </Button>
      {work === 'running' &&
        !isBlank &&
        ways.map((way) => {
          const isEnter = way === enterWhileRunning;
          return (
            <Button
              key={way}
              look={isEnter ? 'primary' : 'plain'}
              {...titled(wayTitles[way], isEnter ? sessionShortcuts.message.send : sessionShortcuts.message.other)}
              disabled={isOff}
              onClick={() => go(way)}
            >
              {way === 'steer' ? t('Steer') : t('Queue')}
            </Button>
          );
        })}
    </>
  );
}
