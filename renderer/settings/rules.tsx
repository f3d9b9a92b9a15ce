import classNames from 'classnames/bind';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { ImaginedRequest, LimitAmount, ModelRule, RuleClass, RuleTrial, RuleUse } from '../../app/api/rules.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { OwnLimit } from '../../app/api/state.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { classWords, goneWords, ruleEfforts, ruleUseInWords } from '../../app/words/models.ts';
import { exact } from '../../app/words/numbers.ts';
import { keyOfRule, limitFigure, limitOfUse, whenInWords } from '../../app/words/own-limits.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { ChevronDown, ChevronUp, Close, Pencil } from '../parts/icons.tsx';
import { type CallFailure, callFailure, useAsked } from '../state/asked.ts';
import { useApp, useServices } from '../state/services.ts';
import { readLimit, shownField, wrongWords } from './field.tsx';
import { limitActions, limitPeriods, NamedField, PartField, useSuggestions, useWholePath } from './scope-fields.tsx';
import { ChangeError, Section, Setting, translatedChoices, useChange, useManaged, useRemove } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** Which requests use which model, effort and account: a list in its order, a form for one, and a field to try it. */
export function RulesSection({ preferences }: { preferences: Preferences }) {
  const { rules } = preferences.models;
  const [edited, setEdited] = useState<number | null>(null);
  const rule = edited === null ? null : (rules[edited] ?? null);
  const { label, help } = shownField('models.rules');
  const isManaged = useManaged('models.rules')?.isFixed === true;
  return (
    <Section id="rules">
      <Setting of="models.rules" title={label} help={help} className={css('rules-head')} />
      <fieldset className={css('managed-list')} disabled={isManaged} aria-label={label}>
        <RuleTable rules={rules} keys={preferences.keys} edit={setEdited} />
      </fieldset>
      {!isManaged && (
        <RuleForm
          key={`${edited} ${JSON.stringify(rule)}`}
          rules={rules}
          keys={preferences.keys}
          edited={edited}
          done={() => setEdited(null)}
        />
      )}
      <RuleTry keys={preferences.keys} set={JSON.stringify([preferences.models, preferences.limits])} />
    </Section>
  );
}

/** Why a rule won’t do what it says. */
function Note({ text }: { text: string | null }) {
  return text === null ? null : <p className="bad small">{text}</p>;
}

function Used({ text }: { text: string | null }) {
  return text === null ? null : <p className="muted small">{text}</p>;
}

const sameRule = (one: ModelRule['when'], other: ModelRule['when']): boolean => keyOfRule(one) === keyOfRule(other);

interface RuleTableProps {
  rules: readonly ModelRule[];
  keys: readonly string[];
  edit: (at: number) => void;
}

function RuleTable({ rules, keys, edit }: RuleTableProps) {
  const { accounts, goneModels, ownLimits } = useApp();
  const gone = (place: number): string =>
    sentences(...goneModels.flatMap((gone) => (gone.rule === place ? [goneWords(gone)] : [])));
  const noKey = (key: string | undefined): boolean => key !== undefined && !keys.includes(key);
  const names = accounts.map(({ name }) => name.toLowerCase());
  const noAccount = (account: string | undefined): boolean =>
    account !== undefined && !names.includes(account.toLowerCase());
  const usedOf = ({ when, use: { limit } }: ModelRule): string | null => {
    if (limit === undefined) return null;
    const { setting, most } = limitOfUse(when, limit);
    const isOf = (one: OwnLimit): boolean =>
      one.setting === setting && one.most === most && one.scope?.rule !== undefined && sameRule(one.scope.rule, when);
    const known = ownLimits.find(isOf);
    return known === undefined ? null : t('{figure} used', { figure: limitFigure(known) });
  };
  const { change, error } = useChange();
  const remove = useRemove(change);
  const table = useRef<HTMLTableElement>(null);
  /** Row whose button was pressed: the focus goes where its rule goes. */
  const [followed, setFollowed] = useState<{ at: number; name: string } | null>(null);
  useEffect(() => {
    if (followed === null) return;
    const row = table.current?.tBodies[0]?.rows[followed.at];
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])];
    (buttons.find(({ dataset }) => dataset.name === followed.name) ?? buttons[0])?.focus();
    setFollowed(null);
  }, [followed]);
  const move = async (at: number, by: 1 | -1, name: string): Promise<void> => {
    const rule = rules[at];
    const to = at + by;
    if (rule === undefined || to < 0 || to >= rules.length) return;
    if (await change({ models: { rules: rules.toSpliced(at, 1).toSpliced(to, 0, rule) } }))
      setFollowed({ at: to, name });
  };
  const removeRule = (at: number): Promise<void> =>
    remove({
      ...{ removed: t('Rule {place} removed.', { place: at + 1 }), at },
      listIn: ({ models }) => models.rules,
      changeFor: (list) => ({ models: { rules: list } }),
    });
  if (rules.length === 0)
    return <p className="muted small">{t('No rules. Every request uses the model that it asks for.')}</p>;
  return (
    <>
      <div className="table-scroll">
        <table
          ref={table}
          className={css('plain-table', 'own-limits', 'rules-table')}
          aria-label={t('Rules in their order')}
        >
          <thead>
            <tr>
              <th scope="col">{t('Rule')}</th>
              <th scope="col">{t('When')}</th>
              <th scope="col">{t('Use')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, at) => {
              const keyed = (event: KeyboardEvent): void => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
                event.preventDefault();
                const by = event.key === 'ArrowUp' ? -1 : 1;
                void move(at, by, by === -1 ? 'earlier' : 'later');
              };
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same.
                <tr key={`${at} ${JSON.stringify(rule)}`} onKeyDown={keyed}>
                  <th scope="row">{at + 1}</th>
                  <td>
                    {whenInWords(rule.when)}
                    <Note
                      text={noKey(rule.when.key) ? t('There is no such key: it was revoked, or never created.') : null}
                    />
                  </td>
                  <td>
                    {ruleUseInWords(rule.use)}
                    <Used text={usedOf(rule)} />
                    <Note text={gone(at + 1) || null} />
                    <Note text={noAccount(rule.use.account) ? t('No account has this name: error 403.') : null} />
                  </td>
                  <td className={css('rule-actions')}>
                    <IconButton
                      label={t('Try rule {place} earlier', { place: at + 1 })}
                      icon={<ChevronUp size={16} />}
                      data-name="earlier"
                      disabled={at === 0}
                      aria-keyshortcuts="Alt+ArrowUp"
                      onClick={() => void move(at, -1, 'earlier')}
                    />
                    <IconButton
                      label={t('Try rule {place} later', { place: at + 1 })}
                      icon={<ChevronDown size={16} />}
                      data-name="later"
                      disabled={at === rules.length - 1}
                      aria-keyshortcuts="Alt+ArrowDown"
                      onClick={() => void move(at, 1, 'later')}
                    />
                    <IconButton
                      label={t('Change rule {place}', { place: at + 1 })}
                      icon={<Pencil size={16} />}
                      data-name="change"
                      onClick={() => edit(at)}
                    />
                    <IconButton
                      label={t('Remove rule {place}', { place: at + 1 })}
                      icon={<Close size={16} />}
                      data-name="remove"
                      onClick={() => void removeRule(at)}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <ChangeError error={error} />
    </>
  );
}

/** Empty: not named. */
type Draft = Record<'client' | 'key' | 'folder' | 'asked' | 'model' | 'account' | 'fallback' | 'most', string> & {
  class: RuleClass | '';
  effort: NonNullable<RuleUse['effort']> | '';
} & Pick<LimitAmount, 'per' | 'action'>;

function draftOf({ when, use }: ModelRule): Draft {
  const { client = '', key = '', folder = '', class: of = '', model: asked = '' } = when;
  const { model = '', effort = '', account = '', fallback = '', limit } = use;
  const { per = 'day', action = 'stop' } = limit ?? {};
  const most = limit === undefined ? '' : exact(limit.credits ?? limit.premiumRequests ?? 0);
  return { client, key, folder, class: of, asked, model, effort, account, fallback, most, per, action };
}

const empty = draftOf({ when: {}, use: {} });

/** Of names only those that were written. @param most null: it sets no limit */
function ruleOf(
  draft: Draft,
  folder: string,
  most: Pick<LimitAmount, 'credits' | 'premiumRequests'> | null,
): ModelRule {
  const { client, key, class: of, asked, model, effort, account, fallback } = draft;
  const written = (names: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(names).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    );
  return {
    when: { ...written({ client, key, folder }), ...(of !== '' && { class: of }), ...written({ model: asked }) },
    use: {
      ...{ ...written({ model }), ...(effort !== '' && { effort }), ...written({ account, fallback }) },
      ...(most !== null && { limit: { ...most, per: draft.per, action: draft.action } }),
    },
  };
}

interface RuleFormProps {
  rules: readonly ModelRule[];
  /** Names of the further local keys. */
  keys: readonly string[];
  /** Its place in the list; null: it adds one. */
  edited: number | null;
  done: () => void;
}

function RuleForm({ rules, keys, edited, done }: RuleFormProps) {
  const { change, error, clear } = useChange();
  const rule = edited === null ? undefined : rules[edited];
  const [draft, setDraft] = useState<Draft>(() => (rule === undefined ? empty : draftOf(rule)));
  const [problem, setProblem] = useState<{ of: 'folder' | 'model' | 'fallback'; text: string } | null>(null);
  const { accounts, quota } = useApp();
  const { bridge } = useServices();
  const clients = useSuggestions('client');
  const folders = useSuggestions('folder');
  const wholePath = useWholePath(folders);
  const models = useModelIds();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (edited !== null) form.current?.querySelector('input')?.focus();
  }, [edited]);
  const edit = (some: Partial<Draft>): void => {
    setDraft({ ...draft, ...some });
    setProblem(null);
    clear();
  };
  const most = readLimit(draft.most, amountBounds);
  const kept = rule?.use.limit;
  const inPremium = kept === undefined ? quota?.world === 'premium' : kept.premiumRequests !== undefined;
  const named = [draft.model, draft.effort, draft.account, draft.fallback, draft.most];
  const usesSome = named.some((text) => text.trim() !== '') && most !== undefined;
  const save = async (): Promise<void> => {
    const path = draft.folder.trim() === '' ? { name: '' } : await wholePath(draft.folder.trim());
    if ('problem' in path) return setProblem({ of: 'folder', text: path.problem });
    const limit = typeof most !== 'number' ? null : inPremium ? { premiumRequests: most } : { credits: most };
    const next = ruleOf(draft, path.name, limit);
    const unknown = next.use.account === undefined ? await unknownModel(bridge, next.use, models) : null;
    if (unknown !== null) return setProblem(unknown);
    const changed = edited === null ? [...rules, next] : rules.with(edited, next);
    if (!(await change({ models: { rules: changed } }))) return;
    setDraft(empty);
    done();
  };
  const text = (name: keyof Draft & ('client' | 'key' | 'folder' | 'asked' | 'model' | 'account' | 'fallback')) => ({
    value: draft[name],
    invalid: problem?.of === name,
    type: (typed: string | null) => edit({ [name]: typed ?? '' }),
  });
  return (
    <Setting
      className={css('wide')}
      title={edited === null ? t('New rule') : t('Rule {place}', { place: edited + 1 })}
      help={t('An empty field under When matches every request; one under Use changes nothing.')}
    >
      <form
        ref={form}
        className={css('rule-form')}
        onSubmit={(event) => {
          event.preventDefault();
          if (usesSome) void save();
        }}
      >
        <fieldset>
          <legend>{t('When')}</legend>
          <NamedField label={t('Client')} placeholder={t('Any')} suggestions={clients} {...text('client')} />
          <NamedField label={t('Key')} placeholder={t('Any')} suggestions={keys} {...text('key')} />
          <NamedField label={t('Folder')} placeholder={t('Any')} suggestions={folders} {...text('folder')} />
          <PartField
            label={t('Request class')}
            chosen={draft.class}
            choices={[{ value: '', label: t('Any') }, ...translatedChoices(classChoices)]}
            choose={(of) => edit({ class: of })}
          />
          <NamedField
            label={t('Asked model contains')}
            placeholder={t('Any')}
            suggestions={families}
            {...text('asked')}
          />
        </fieldset>
        <fieldset>
          <legend>{t('Use')}</legend>
          <NamedField label={t('Model')} placeholder={t('Unchanged')} suggestions={models} {...text('model')} />
          <PartField
            label={t('Effort')}
            chosen={draft.effort}
            choices={[{ value: '', label: t('Unchanged') }, ...effortChoices]}
            choose={(effort) => edit({ effort })}
          />
          {(accounts.length > 1 || draft.account !== '') && (
            <NamedField
              label={t('Account')}
              placeholder={t('Unchanged')}
              suggestions={accounts.map(({ name }) => name)}
              {...text('account')}
            />
          )}
          <NamedField label={t('Fallback')} placeholder={t('None')} suggestions={models} {...text('fallback')} />
          <NamedField
            label={inPremium ? t('Most premium requests') : t('Most credits')}
            placeholder={t('No limit')}
            value={draft.most}
            invalid={most === undefined}
            type={(typed) => edit({ most: typed ?? '' })}
          />
          {draft.most.trim() !== '' && (
            <>
              <PartField
                label={t('Period')}
                chosen={draft.per}
                choices={translatedChoices(limitPeriods)}
                choose={(per) => edit({ per })}
              />
              <PartField
                label={t('When used up')}
                chosen={draft.action}
                choices={translatedChoices(limitActions)}
                choose={(action) => edit({ action })}
              />
            </>
          )}
        </fieldset>
        <ChangeError error={most === undefined ? wrongWords(amountBounds, true) : (problem?.text ?? error)} />
        <div className={css('rule-buttons')}>
          <Button type="submit" disabled={!usesSome}>
            {edited === null ? t('Add rule') : t('Save rule')}
          </Button>
          {edited !== null && <Button onClick={done}>{t('Cancel')}</Button>}
        </div>
      </form>
    </Setting>
  );
}

const amountBounds = { least: 0, most: 1_000_000, whole: false };
const classChoices = Object.entries(classWords).map(([value, label]) => ({ value: value as RuleClass, label }));
const effortChoices = ruleEfforts.map((value) => ({ value, label: value }));
const families = ['opus', 'sonnet', 'haiku', 'gpt'];

/** Ids of the models that can answer. */
function useModelIds(): readonly string[] {
  const { bridge } = useServices();
  const { account } = useApp();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has other models.
  const ask = useCallback(() => bridge.models(), [bridge, account.kind]);
  const report = useAsked(ask).asked.last;
  return (report?.models ?? []).flatMap(({ id, type }) => (type === 'chat' ? [id] : []));
}

/** Which model of the rule can't be used, and why; null if each can, or nothing is known of them now. */
async function unknownModel(
  bridge: Bridge,
  use: RuleUse,
  known: readonly string[],
): Promise<{ of: 'model' | 'fallback'; text: string } | null> {
  for (const of of ['model', 'fallback'] as const) {
    const name = use[of];
    if (name === undefined || known.includes(name)) continue;
    const answer = await bridge.explainModel(name).catch(() => null);
    if (answer?.kind === 'not-in-catalog' || answer?.kind === 'not-allowed')
      return { of, text: sentences(answer.text, t('Choose one of the list.')) };
  }
  return null;
}

type Tried = { kind: 'none' | 'asking' } | ({ kind: 'tried' } & RuleTrial) | ({ kind: 'failed' } & CallFailure);

const nothing = { model: '', client: '', key: '', folder: '', class: 'main' as RuleClass };

/**
 * What would happen to a request: which rule is for it, and what it would use. Nothing is sent.
 * @param set the rules and limits that decide, as one text: once they are others, the answer is asked for again
 */
function RuleTry({ keys, set }: Pick<RuleFormProps, 'keys'> & { set: string }) {
  const { bridge } = useServices();
  const [draft, setDraft] = useState(nothing);
  const [tried, setTried] = useState<Tried>({ kind: 'none' });
  const clients = useSuggestions('client');
  const folders = useSuggestions('folder');
  const names = useSuggestions('model');
  const latest = useRef(0);
  const edit = (some: Partial<typeof nothing>): void => {
    setDraft({ ...draft, ...some });
    setTried({ kind: 'none' });
    latest.current += 1;
  };
  const ask = async (): Promise<void> => {
    latest.current += 1;
    const mine = latest.current;
    const answer = await bridge.tryRules(requestOf(draft)).then(
      (trial): Tried => ({ kind: 'tried', ...trial }),
      (error): Tried => ({ kind: 'failed', ...callFailure(error) }),
    );
    if (mine === latest.current) setTried(answer);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (draft.model.trim() === '') return;
    setTried({ kind: 'asking' });
    void ask();
  };
  const asked = useRef(set);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rules and limits make the answer an old one.
  useEffect(() => {
    if (asked.current === set) return;
    asked.current = set;
    if (tried.kind !== 'none') void ask();
  }, [set]);
  const text = (name: 'model' | 'client' | 'key' | 'folder') => ({
    value: draft[name],
    type: (typed: string | null) => edit({ [name]: typed ?? '' }),
  });
  return (
    <>
      <Setting
        className={css('wide')}
        title={t('Try a request')}
        help={t('Says which rule is for it, what it would use, and what your limits say. Nothing is sent.')}
      >
        <form className={css('rule-form')} aria-label={t('Try a request')} onSubmit={submit}>
          <fieldset>
            <NamedField label={t('Its model')} placeholder="opus" suggestions={names} {...text('model')} />
            <NamedField label={t('Its client')} placeholder="claude-code" suggestions={clients} {...text('client')} />
            <NamedField label={t('Its key')} placeholder={t('The local key')} suggestions={keys} {...text('key')} />
            <NamedField label={t('Its folder')} placeholder={t('None')} suggestions={folders} {...text('folder')} />
            <PartField
              label={t('Its class')}
              chosen={draft.class}
              choices={translatedChoices(classChoices)}
              choose={(of) => edit({ class: of })}
            />
          </fieldset>
          <div className={css('rule-buttons')}>
            <Button type="submit" disabled={draft.model.trim() === '' || tried.kind === 'asking'}>
              {t('Try')}
            </Button>
          </div>
        </form>
      </Setting>
      <div className={css('rule-answer', 'small')} role="status">
        {tried.kind === 'tried' && (
          <ul>
            {tried.sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {tried.remedy !== null && <li className="bad">{tried.remedy}</li>}
          </ul>
        )}
        {tried.kind === 'failed' && (
          <p className="bad">
            {tried.text} {tried.remedy}
          </p>
        )}
      </div>
    </>
  );
}

function requestOf({ model, client, key, folder, class: of }: typeof nothing): ImaginedRequest {
  const named = Object.entries({ client, key, folder }).flatMap(([name, text]) =>
    text.trim() === '' ? [] : [[name, text.trim()]],
  );
  return { model: model.trim(), class: of, ...Object.fromEntries(named) };
}
