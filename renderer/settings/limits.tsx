import classNames from 'classnames/bind';
import { useState } from 'react';
import type { LimitRule, LimitScope } from '../../app/api/rules.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { OwnLimit } from '../../app/api/state.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { exact } from '../../app/words/numbers.ts';
import { limitFigure, limitName, limitOfRule, missingKey } from '../../app/words/own-limits.ts';
import { overageWords } from '../../app/words/status.ts';
import { ownLimitWords } from '../../app/words/usage.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Close, Pencil } from '../parts/icons.tsx';
import { Meter } from '../parts/meter.tsx';
import { useMinute } from '../parts/now.ts';
import { SavedText } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/services.ts';
import { Field, readLimit, shownField } from './field.tsx';
import { limitActions, limitPeriods, useSuggestions, useWholePath } from './scope-fields.tsx';
import { ChangeError, Section, Select, Setting, translatedChoices, useChange, useRemove } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

/** What a person allows at most. What goes over is answered with 429, in the client's own words. */
export function LimitsSection({ preferences }: { preferences: Preferences }) {
  const { limits } = preferences;
  const world = useApp().quota?.world ?? 'unknown';
  return (
    <Section id="limits">
      <Field
        name="limits.askBeforeBurst"
        preferences={preferences}
        help={t('Hold new user prompts when more than {burstPerMinute} requests started within a minute.', {
          burstPerMinute: limits.burstPerMinute,
        })}
      />
      <Field name="limits.askBeforeOverage" preferences={preferences} segmented />
      <DecidedOverage />
      <Field name="limits.requestsPerMinute" preferences={preferences} />
      {amounts.map(({ unit, names }) =>
        names.map(
          (name) =>
            ((world === 'premium') === (unit === 'premium') || limits[name] !== null) && (
              <Field key={name} name={`limits.${name}`} preferences={preferences} />
            ),
        ),
      )}
      {(limits.creditsPerMonth ?? limits.premiumRequestsPerMonth) !== null && (
        <Field name="limits.monthUsedUp" preferences={preferences} segmented />
      )}
      <Rules rules={limits.rules} keys={preferences.keys} isPremium={world === 'premium'} />
    </Section>
  );
}

/** What was answered for today, and the way back. */
function DecidedOverage() {
  const { overage } = useApp().health;
  const { decideOverage } = useActions();
  if (overage !== 'allowed' && overage !== 'refused') return null;
  const isAllowed = overage === 'allowed';
  return (
    <Setting
      title={isAllowed ? t('Paid overage is allowed today') : t('Paid overage is refused today')}
      help={overageWords(overage)}
    >
      <Button onClick={() => decideOverage(!isAllowed)}>
        {isAllowed ? t('No longer allow') : t('Allow for today')}
      </Button>
    </Setting>
  );
}

/** What is not counted in an account's plan is shown where it is set. */
const amounts = [
  { unit: 'credits', names: ['creditsPerDay', 'creditsPerMonth'] },
  { unit: 'premium', names: ['premiumRequestsPerDay', 'premiumRequestsPerMonth'] },
] as const;

type ScopeName = keyof LimitScope;
const scopes: readonly { value: ScopeName; label: Message; example: string }[] = [
  { value: 'client', label: msg('Client'), example: 'codex' },
  { value: 'key', label: msg('Key'), example: 'ci' },
  { value: 'account', label: msg('Account'), example: 'work' },
  { value: 'folder', label: msg('Folder'), example: '~/shop' },
  { value: 'model', label: msg('Model'), example: 'opus' },
];
const nameLabels: Readonly<Record<ScopeName, Message>> = {
  client: msg('Name of the client'),
  key: msg('Name of the key'),
  account: msg('Name of the account'),
  folder: msg('Name of the folder'),
  model: msg('Name of the model'),
};

const empty = { of: 'client', named: '', most: '', per: 'day', action: 'warn' } as const;
type Draft = { of: ScopeName; named: string; most: string } & Pick<LimitRule, 'per' | 'action'>;

function draftOf(rule: LimitRule | null): Draft {
  if (rule === null) return empty;
  const of = scopes.map(({ value }) => value).find((name) => rule[name] !== undefined) ?? empty.of;
  const { per, action, credits, premiumRequests } = rule;
  return { of, named: rule[of] ?? '', most: exact(credits ?? premiumRequests ?? 0), per, action };
}

/** A form that sets or changes a limit of one client, key, account, folder or model, and the list of all limits. */
function Rules(props: Pick<RuleFormProps, 'rules' | 'keys' | 'isPremium'>) {
  const { rules, keys } = props;
  const [edited, setEdited] = useState<LimitRule | null>(null);
  const done = (): void => setEdited(null);
  return (
    <>
      <RuleForm key={JSON.stringify(edited)} {...props} edited={edited} done={done} />
      <Standing rules={rules} keys={keys} edit={setEdited} />
    </>
  );
}

interface RuleFormProps {
  rules: readonly LimitRule[];
  /** Names of the further local keys. */
  keys: readonly string[];
  /** Null: it adds one. */
  edited: LimitRule | null;
  isPremium: boolean;
  done: () => void;
}

function RuleForm({ rules, keys, edited, isPremium, done }: RuleFormProps) {
  const { change, error, clear } = useChange();
  const [draft, setDraft] = useState<Draft>(() => draftOf(edited));
  const [noFolder, setNoFolder] = useState<string | null>(null);
  /** Another limit for the same, until the person says what becomes of it. */
  const [beside, setBeside] = useState<{ rule: LimitRule; other: LimitRule } | null>(null);
  const { of, named, most, per, action } = draft;
  const suggestions = useSuggestions(of, keys);
  const wholePath = useWholePath(suggestions);
  const edit = (some: Partial<Draft>): void => {
    setDraft({ ...draft, ...some });
    setNoFolder(null);
    setBeside(null);
    clear();
  };
  const amount = readLimit(most, { least: 0, most: 1_000_000, whole: false });
  const isWrong = amount === undefined;
  const isReady = named.trim() !== '' && typeof amount === 'number';
  const inPremium = edited === null ? isPremium : edited.premiumRequests !== undefined;
  const save = async (): Promise<void> => {
    if (typeof amount !== 'number') return;
    const path = of === 'folder' ? await wholePath(named.trim()) : { name: named.trim() };
    if ('problem' in path) {
      setNoFolder(path.problem);
      return;
    }
    const { credits: _credits, premiumRequests: _premium, [draftOf(edited).of]: _of, ...others } = edited ?? {};
    const counted = inPremium ? { premiumRequests: amount } : { credits: amount };
    const rule: LimitRule = { ...others, [of]: path.name, ...counted, per, action };
    const other = rules.find((one) => !isEqual(one, edited) && isForTheSame(one, rule));
    if (other === undefined) await put(rule, null);
    else setBeside({ rule, other });
  };
  const put = async (rule: LimitRule, replaced: LimitRule | null): Promise<void> => {
    setBeside(null);
    const others = rules.filter((one) => replaced === null || !isEqual(one, replaced));
    const changed = edited === null ? [...others, rule] : others.map((one) => (isEqual(one, edited) ? rule : one));
    if (!(await change({ limits: { rules: changed } }))) return;
    setDraft({ ...draft, named: '', most: '' });
    done();
  };
  const { label, help } = shownField('limits.rules');
  const unit = inPremium ? t('Premium requests') : t('Credits');
  return (
    <Setting
      of="limits.rules"
      className={css('wide')}
      title={label}
      help={help}
      error={
        isWrong
          ? t('Choose a number from 0.01 to 1,000,000.')
          : (noFolder ?? error ?? alreadySet(beside?.other ?? null))
      }
    >
      <form
        className={css('saving-form')}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void save();
        }}
      >
        <Select
          label={t('Limit for')}
          chosen={of}
          choices={translatedChoices(scopes)}
          choose={(value) => edit({ of: value, named: '' })}
        />
        <SavedText
          label={translated(nameLabels[of])}
          value={named}
          size={14}
          placeholder={scopes.find(({ value }) => value === of)?.example}
          suggestions={suggestions}
          invalid={noFolder !== null || error !== null}
          type={(text) => edit({ named: text ?? '' })}
        />
        <SavedText
          label={unit}
          value={most}
          size={8}
          placeholder={unit}
          invalid={isWrong}
          type={(text) => edit({ most: text ?? '' })}
        />
        <Select
          label={t('Period')}
          chosen={per}
          choices={translatedChoices(limitPeriods)}
          choose={(value) => edit({ per: value })}
        />
        <Select
          label={t('When used up')}
          chosen={action}
          choices={translatedChoices(limitActions)}
          choose={(value) => edit({ action: value })}
        />
        {beside === null ? (
          <Button type="submit" disabled={!isReady}>
            {edited === null ? t('Add limit') : t('Save limit')}
          </Button>
        ) : (
          <>
            <Button onClick={() => void put(beside.rule, beside.other)}>{t('Replace it')}</Button>
            {!isEqual(beside.rule, beside.other) && (
              <Button onClick={() => void put(beside.rule, null)}>{t('Keep both')}</Button>
            )}
          </>
        )}
        {edited !== null && <Button onClick={done}>{t('Cancel')}</Button>}
      </form>
    </Setting>
  );
}

const isEqual = (one: LimitRule, other: LimitRule | null): boolean => {
  return other !== null && isForTheSame(one, other) && one.action === other.action && mostOf(one) === mostOf(other);
};
const mostOf = (rule: LimitRule): number => limitOfRule(rule).most;
const isForTheSame = (one: LimitRule, other: LimitRule): boolean =>
  limitName(limitOfRule(one)) === limitName(limitOfRule(other));

/** `Credits per day, client codex: there already is a limit of 5, which warns.` */
function alreadySet(rule: LimitRule | null): string | null {
  if (rule === null) return null;
  const limit = limitOfRule(rule);
  const name = limitName(limit);
  const most = exact(limit.most);
  return rule.action === 'stop'
    ? t('{limit}: there already is a limit of {most}, which stops.', { limit: name, most })
    : t('{limit}: there already is a limit of {most}, which warns.', { limit: name, most });
}

/** All limits that are set, each with what is used of it. */
function Standing(props: { rules: readonly LimitRule[]; keys: readonly string[]; edit: (rule: LimitRule) => void }) {
  const { rules, keys, edit } = props;
  const { ownLimits } = useApp();
  const { change, error } = useChange();
  const remove = useRemove(change);
  const nameOf = (limit: Pick<OwnLimit, 'setting' | 'scope' | 'most'>): string => `${limitName(limit)} ${limit.most}`;
  // A limit that a rule sets is changed with its rule.
  const others = ownLimits.filter(({ scope }) => scope === null || scope.rule !== undefined);
  // What a folder used isn't known until its sessions were read.
  const parts = rules.map((rule) => {
    const limit = limitOfRule(rule);
    return { limit, rule, known: ownLimits.find((one) => nameOf(one) === nameOf(limit)) ?? null };
  });
  if (others.length + parts.length === 0) return null;
  return (
    <>
      <div className="table-scroll">
        <table className={css('plain-table', 'own-limits')} aria-label={t('Limits that are set')}>
          <thead>
            <tr>
              <th scope="col">{t('Limit')}</th>
              <th scope="col">{t('Used')}</th>
              <td />
              <th scope="col">{t('When used up')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {others.map((limit) => (
              <tr key={limitName(limit)}>
                <LimitCells name={limitName(limit)} limit={limit} stops={limit.stops} />
                <td />
              </tr>
            ))}
            {parts.map(({ limit, rule, known }, at) => (
              <tr key={JSON.stringify(rule)}>
                <LimitCells
                  name={limitName(limit)}
                  limit={known}
                  stops={rule.action === 'stop'}
                  note={missingKey(limit.scope, keys)}
                />
                <td>
                  <IconButton
                    label={t('Change {limit}', { limit: limitName(limit) })}
                    icon={<Pencil size={16} />}
                    onClick={() => edit(rule)}
                  />
                  <IconButton
                    label={t('Remove {limit}', { limit: limitName(limit) })}
                    icon={<Close size={16} />}
                    onClick={() =>
                      void remove({
                        ...{ removed: t('Limit removed: {limit}.', { limit: limitName(limit) }), at },
                        listIn: ({ limits }) => limits.rules,
                        changeFor: (list) => ({ limits: { rules: list } }),
                      })
                    }
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ChangeError error={error} />
    </>
  );
}

interface LimitCellsProps {
  name: string;
  limit: OwnLimit | null;
  stops: boolean;
  /** Why it counts nothing. */
  note?: string | null;
}

function LimitCells({ name, limit, stops, note = null }: LimitCellsProps) {
  const now = useMinute();
  const words = limit === null ? null : ownLimitWords(limit, now);
  return (
    <>
      <th scope="row">
        {name}
        {note !== null && <p className="bad small">{note}</p>}
      </th>
      <td>{limit === null ? '…' : limitFigure(limit)}</td>
      <td className={css('meter-cell')}>
        {words !== null && (
          <Meter
            label={name}
            text={t('{figure} used', { figure: words.figure })}
            share={words.used}
            tone={words.tone}
          />
        )}
      </td>
      <td>{stops ? t('Stop') : t('Warn')}</td>
    </>
  );
}
