import classNames from 'classnames/bind';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../../../app/language/translate.ts';
import { oneLine } from '../../../app/words/text.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { callFailure } from '../../state/asked.ts';
import { toast } from '../../state/notices.ts';
import { useServices } from '../../state/services.ts';
import styles from '../session-dialogs.module.css';
import { isBrowserWindow, isKey, sessionShortcuts } from '../session-shortcuts.ts';
import {
  closeTemplates,
  type KnownTemplate,
  shownTemplates,
  showTemplates,
  type UsedTemplates,
} from './known-templates.ts';
import { filled, placesOf, wouldRun, writeTemplate } from './template-text.ts';

const css = classNames.bind(styles);

interface TemplateDialogsProps {
  session: string;
  templates: UsedTemplates;
  /** True if a command of this name is there that is no template. */
  isCommand: (name: string) => boolean;
  /** Puts a text into the message field. Sends nothing. */
  insert: (text: string) => void;
}

/** Dialogs about templates; a key opens the list of them. */
export function TemplateDialogs(props: TemplateDialogsProps) {
  const { session, templates } = props;
  const shown = useStore(shownTemplates, (state) => (state.shown?.session === session ? state.shown : null));
  const isBrowser = isBrowserWindow(useServices().bridge);
  const { ask } = templates;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isKey(event, sessionShortcuts.view.templates, isBrowser) || document.querySelector('dialog[open]') !== null)
        return;
      event.preventDefault();
      showTemplates(session, { kind: 'list' });
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [session, isBrowser]);
  // Another session's dialog doesn't wait for its session to be shown again.
  useEffect(() => closeTemplates, []);
  const isShown = shown !== null;
  useEffect(() => {
    if (isShown) ask();
  }, [isShown, ask]);
  switch (shown?.view.kind) {
    case 'list':
      return <TemplateList {...props} />;
    case 'edit':
      return <EditTemplate key={shown.view.before?.path} {...{ ...props, ...shown.view }} />;
    case 'fill':
      return <FillTemplate key={shown.view.template.path} {...{ ...props, ...shown.view }} />;
    case undefined:
      return null;
  }
}

/** Takes one that was chosen: its text goes into the field, or its places are asked for first. */
export function takeTemplate(
  session: string,
  template: KnownTemplate,
  insert: (text: string) => void,
  first = '',
): void {
  if (template.places.length > 0) showTemplates(session, { kind: 'fill', template, first });
  else {
    closeTemplates();
    insert(template.text);
  }
}

function scopeWords({ scope, isStrange }: KnownTemplate): string {
  if (scope === 'all') return t('For all folders');
  return isStrange ? t('This folder, not trusted') : t('This folder');
}

function TemplateList({ session, templates, insert }: TemplateDialogsProps) {
  const { bridge, store } = useServices();
  const [words, setWords] = useState('');
  const { all, ask } = templates;
  const wanted = words.trim().toLowerCase();
  const found = (all ?? []).filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(wanted));
  const failed = (error: unknown): void => {
    const { text, remedy } = callFailure(error);
    toast(store, `${text} ${remedy}`.trim(), { kind: 'failed' });
    ask();
  };
  const remove = async ({ scope, name, version, raw }: KnownTemplate): Promise<void> => {
    try {
      await bridge.deleteTemplate({ session, scope, name, version });
    } catch (error) {
      return failed(error);
    }
    ask();
    const undo = (): void => {
      bridge.writeTemplate({ session, scope, name, raw, replaces: null }).then(ask, failed);
    };
    toast(store, t('The template {name} was deleted.', { name }), { action: { label: t('Undo'), run: undo } });
  };
  const take = (template: KnownTemplate | undefined): void => {
    if (template !== undefined) takeTemplate(session, template, insert);
  };
  return (
    <Dialog
      wide
      title={t('Templates')}
      cancel={t('Close')}
      close={closeTemplates}
      action={{
        label: t('New template…'),
        run: () => showTemplates(session, { kind: 'edit', text: '', before: null }),
      }}
    >
      {templates.problem !== null && (
        <p className="bad" role="alert">
          {templates.problem}
        </p>
      )}
      <form
        className={css('worktree-form')}
        onSubmit={(event) => {
          event.preventDefault();
          take(found[0]);
        }}
      >
        <input
          autoFocus
          type="search"
          className="field"
          aria-label={t('Search templates')}
          placeholder={t('Search')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </form>
      {all?.length === 0 && (
        <p>
          {t('No template is saved yet. A template is a prompt that you keep, with places such as {example}.', {
            example: '{{file}}',
          })}
        </p>
      )}
      <ul className={css('worktrees')}>
        {found.map((template) => (
          <li key={template.path} aria-label={template.name}>
            <div className={css('worktree-what')}>
              <p>
                <strong>{template.name}</strong>{' '}
                <span className={template.isStrange ? 'small' : 'muted small'}>{scopeWords(template)}</span>
              </p>
              <p className={css('small', 'template-text')} dir="auto">
                {oneLine(template.description ?? template.text, 160)}
              </p>
            </div>
            <div className={css('worktree-does')}>
              <Button aria-label={t('Use {name}', { name: template.name })} onClick={() => take(template)}>
                {t('Use')}
              </Button>
              <Button
                aria-label={t('Edit {name}…', { name: template.name })}
                onClick={() => showTemplates(session, { kind: 'edit', text: template.text, before: template })}
              >
                {t('Edit…')}
              </Button>
              <Button aria-label={t('Delete {name}', { name: template.name })} onClick={() => void remove(template)}>
                {t('Delete')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface EditTemplateProps extends TemplateDialogsProps {
  text: string;
  before: KnownTemplate | null;
}

const nameFits = /^[A-Za-z][\w-]{0,63}$/;

function EditTemplate({ session, templates, isCommand, text: given, before }: EditTemplateProps) {
  const { bridge, store } = useServices();
  const [name, setName] = useState(before?.name ?? '');
  const [text, setText] = useState(given);
  const [scope, setScope] = useState<KnownTemplate['scope']>(before?.scope ?? 'folder');
  const [replaces, setReplaces] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const ids = { name: useId(), text: useId(), said: useId() };
  const isSame = before !== null && before.name === name && before.scope === scope;
  const taken = templates.all?.find((one) => one.name === name && one.scope === scope && !isSame) ?? null;
  const places = placesOf(text);
  const why =
    name !== '' && !nameFits.test(name)
      ? t('A name begins with a letter, and has letters without accents, digits, - and _.')
      : taken === null && !isSame && isCommand(name)
        ? t('/{name} is a command already. Choose another name.', { name })
        : wouldRun(text)
          ? t('Claude Code would run the words between !` and ` without a question. Take them out of the text.')
          : null;
  const isReady = name !== '' && text.trim() !== '' && why === null && (taken === null || replaces === taken.version);
  const done = (): void => (before === null ? closeTemplates() : showTemplates(session, { kind: 'list' }));
  const save = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    if (!isReady) return;
    const raw = writeTemplate({ text, places: before?.places ?? [], description: before?.description ?? null });
    try {
      const known = isSame ? before.version : (taken?.version ?? null);
      await bridge.writeTemplate({ session, scope, name, raw, replaces: known });
      if (before !== null && !isSame) {
        await bridge.deleteTemplate({ session, scope: before.scope, name: before.name, version: before.version });
      }
    } catch (error) {
      const failure = callFailure(error);
      setProblem(`${failure.text} ${failure.remedy}`.trim());
      templates.ask();
      return;
    }
    templates.ask();
    done();
    toast(store, t('Template saved. Type / to use it: /{name}', { name }));
  };
  return (
    <Dialog
      title={before === null ? t('Save as a template') : t('Edit the template {name}', { name: before.name })}
      close={done}
      action={{ label: t('Save'), run: () => void save(), disabled: !isReady }}
    >
      <form className={css('worktree-form')} onSubmit={(event) => void save(event)}>
        <label htmlFor={ids.name}>{t('Name')}</label>
        <input
          autoFocus
          id={ids.name}
          className="field mono"
          maxLength={64}
          value={name}
          placeholder="review"
          aria-describedby={ids.said}
          onChange={({ target }) => setName(target.value.trim())}
        />
        <div id={ids.said} role="status">
          {why !== null && <p className="bad small">{why}</p>}
          {taken !== null && (
            <label className={css('dialog-choice')}>
              <input
                type="checkbox"
                checked={replaces === taken.version}
                onChange={({ target }) => setReplaces(target.checked ? taken.version : null)}
              />
              <span>
                {t('Replace /{name}, which is there already', { name })}
                <span className="muted">{oneLine(taken.text, 80)}</span>
              </span>
            </label>
          )}
        </div>
        <label htmlFor={ids.text}>{t('Text')}</label>
        <textarea
          id={ids.text}
          className={css('field', 'template-field')}
          dir="auto"
          rows={6}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <p className="muted small">
          {places.length === 0
            ? t('Write {example} for what differs each time.', { example: '{{file}}' })
            : t('In a terminal: {line}', {
                line: [`/${name || 'review'}`, ...places.map((one) => `[${one}]`)].join(' '),
              })}
        </p>
        <fieldset>
          <legend>{t('Where')}</legend>
          {(['folder', 'all'] as const).map((one) => (
            <label key={one} className={css('dialog-choice')}>
              <input type="radio" name="scope" checked={scope === one} onChange={() => setScope(one)} />
              <span>
                {one === 'folder' ? t('For this folder') : t('For all folders')}
                <span className="muted mono">
                  {one === 'folder' ? '.claude/commands' : '~/.claude/commands'}/{name || 'review'}.md
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        {scope === 'folder' && templates.isTrusted === false && (
          <p className="small" role="status">
            {t('You don’t trust this folder yet. With a template in it, sessions ask you to when you send.')}
          </p>
        )}
        <button type="submit" hidden />
      </form>
      {problem !== null && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}

interface FillTemplateProps extends TemplateDialogsProps {
  template: KnownTemplate;
  first: string;
}

/** A field for each place. What stays empty stays a place in the text. */
function FillTemplate({ template, first, insert }: FillTemplateProps) {
  const { places } = template;
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map([[places[0] ?? '', first]]));
  const id = useId();
  const take = (): void => {
    closeTemplates();
    insert(filled(template.text, values));
  };
  return (
    <Dialog title={template.name} close={closeTemplates} action={{ label: t('Put into message'), run: take }}>
      <form
        className={css('worktree-form')}
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        {template.isStrange && (
          <p className="small">{t('From this folder, which you don’t trust. Read it before you send it.')}</p>
        )}
        {places.map((place, index) => (
          <div key={place} className={css('template-place')}>
            <label htmlFor={`${id}-${place}`}>{place}</label>
            <input
              autoFocus={index === 0}
              id={`${id}-${place}`}
              className="field"
              dir="auto"
              value={values.get(place) ?? ''}
              onChange={({ target }) => setValues((before) => new Map(before).set(place, target.value))}
            />
          </div>
        ))}
        <p className={css('template-preview', 'small')} dir="auto">
          {filled(template.text, values)}
        </p>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
