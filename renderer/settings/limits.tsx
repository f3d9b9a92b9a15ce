import { useCallback, useState } from 'react';
import type { LimitRule, LimitScope } from '../../app/api/limit-rules.ts';
import { settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import type { OwnLimit } from '../../app/api/state.ts';
import { limitFigure, limitName, limitOfRule, ownLimitWords } from '../../app/words/usage.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Close } from '../parts/icons.tsx';
import { Meter } from '../parts/meter.tsx';
import { useMinute } from '../parts/now.ts';
import { SavedText } from '../parts/text-field.tsx';
import { useAsked } from '../state/asked.ts';
import { useApp, useServices } from '../state/services.ts';
import { Field, readLimit } from './field.tsx';
import { Section, Select, Setting, useChange } from './setting.tsx';

/** What a person allows at most. What goes over is answered with 429, in the client's own words. */
export function LimitsSection({ preferences }: { preferences: Preferences }) {
  const { limits } = preferences;
  const world = useApp().quota?.world ?? 'unknown';
  return (
    <Section id="limits">
      <Field
        name="limits.askBeforeBurst"
        preferences={preferences}
        help={`Hold new user prompts when more than ${limits.burstPerMinute} requests started within a minute.`}
      />
      <Field name="limits.askBeforeOverage" preferences={preferences} segmented />
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
      <NewRule rules={limits.rules} isPremium={world === 'premium'} />
      <Standing rules={limits.rules} />
    </Section>
  );
}

/** What is not counted in an account's plan is shown where it is set. */
const amounts = [
  { unit: 'credits', names: ['creditsPerDay', 'creditsPerMonth'] },
  { unit: 'premium', names: ['premiumRequestsPerDay', 'premiumRequestsPerMonth'] },
] as const;

type ScopeName = keyof LimitScope;
const scopes: readonly { value: ScopeName; label: string; example: string }[] = [
  { value: 'client', label: 'Client', example: 'codex' },
  { value: 'key', label: 'Key', example: 'ci' },
  { value: 'account', label: 'Account', example: 'work' },
  { value: 'folder', label: 'Folder', example: '~/shop' },
  { value: 'model', label: 'Model', example: 'opus' },
];

const empty = { of: 'client', named: '', most: '', per: 'day', action: 'warn' } as const;
type Draft = { of: ScopeName; named: string; most: string } & Pick<LimitRule, 'per' | 'action'>;

/** A limit of one client, key, account, folder or model. settings.json can join them. */
function NewRule({ rules, isPremium }: { rules: readonly LimitRule[]; isPremium: boolean }) {
  const { change, error, clear } = useChange();
  const [draft, setDraft] = useState<Draft>(empty);
  const { of, named, most, per, action } = draft;
  const edit = (some: Partial<Draft>): void => {
    setDraft({ ...draft, ...some });
    clear();
  };
  const amount = readLimit(most, { least: 0, most: 1_000_000, whole: false });
  const isWrong = amount === undefined;
  const isReady = named.trim() !== '' && typeof amount === 'number';
  const add = async (): Promise<void> => {
    if (typeof amount !== 'number') return;
    const counted = isPremium ? { premiumRequests: amount } : { credits: amount };
    const rule: LimitRule = { [of]: named.trim(), ...counted, per, action };
    if (await change({ limits: { rules: [...rules, rule] } })) setDraft({ ...draft, named: '', most: '' });
  };
  const { label, help } = settingFields['limits.rules'];
  const unit = isPremium ? 'Premium requests' : 'Credits';
  return (
    <Setting
      className="wide"
      title={label}
      help={help}
      error={isWrong ? 'Choose a number from 0.01 to 1,000,000.' : error}
    >
      <form
        className="saving-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void add();
        }}
      >
        <Select label="Limit for" chosen={of} choices={scopes} choose={(value) => edit({ of: value, named: '' })} />
        <SavedText
          label={`Name of the ${of}`}
          value={named}
          size={14}
          placeholder={scopes.find(({ value }) => value === of)?.example}
          suggestions={useSuggestions(of)}
          invalid={error !== null}
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
        <Select label="Period" chosen={per} choices={periods} choose={(value) => edit({ per: value })} />
        <Select label="When used up" chosen={action} choices={actions} choose={(value) => edit({ action: value })} />
        <Button type="submit" disabled={!isReady}>
          Add limit
        </Button>
      </form>
    </Setting>
  );
}

const periods = [
  { value: 'day', label: 'per day' },
  { value: 'month', label: 'per month' },
] as const;
const actions = [
  { value: 'warn', label: 'Warn' },
  { value: 'stop', label: 'Stop' },
] as const;

/** Names that are in use: of clients and models in the history, of accounts. */
function useSuggestions(of: ScopeName): readonly string[] {
  const { bridge } = useServices();
  const accounts = useApp().accounts;
  const ask = useCallback(
    async () => (of === 'client' || of === 'model' ? (await bridge.totals(of, 0)).map(({ key }) => key) : []),
    [bridge, of],
  );
  const { asked } = useAsked(ask);
  if (of === 'account') return accounts.map(({ name }) => name);
  return (asked.last ?? []).filter((key) => key !== '');
}

/** All limits that are set, each with what is used of it. */
function Standing({ rules }: { rules: readonly LimitRule[] }) {
  const { ownLimits } = useApp();
  const { change, error } = useChange();
  const nameOf = (limit: Pick<OwnLimit, 'setting' | 'scope' | 'most'>): string => `${limitName(limit)} ${limit.most}`;
  const wholes = ownLimits.filter(({ scope }) => scope === null);
  // What a folder used isn't known until its sessions were read.
  const parts = rules.map((rule) => {
    const limit = limitOfRule(rule);
    return { limit, rule, known: ownLimits.find((one) => nameOf(one) === nameOf(limit)) ?? null };
  });
  if (wholes.length + parts.length === 0) return null;
  return (
    <>
      <div className="table-scroll">
        <table className="plain-table own-limits" aria-label="Limits that are set">
          <thead>
            <tr>
              <th scope="col">Limit</th>
              <th scope="col">Used</th>
              <td />
              <th scope="col">When used up</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {wholes.map((limit) => (
              <tr key={limit.setting}>
                <LimitCells name={limitName(limit)} limit={limit} stops={limit.stops} />
                <td />
              </tr>
            ))}
            {parts.map(({ limit, rule, known }) => (
              <tr key={JSON.stringify(rule)}>
                <LimitCells name={limitName(limit)} limit={known} stops={rule.action === 'stop'} />
                <td>
                  <IconButton
                    label={`Remove ${limitName(limit)}`}
                    icon={<Close size={16} />}
                    onClick={() => void change({ limits: { rules: rules.filter((one) => one !== rule) } })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {error !== null && (
        <p className="bad small" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

function LimitCells({ name, limit, stops }: { name: string; limit: OwnLimit | null; stops: boolean }) {
  const now = useMinute();
  const words = limit === null ? null : ownLimitWords(limit, now);
  return (
    <>
      <th scope="row">{name}</th>
      <td>{limit === null ? '…' : limitFigure(limit)}</td>
      <td className="meter-cell">
        {words !== null && <Meter label={name} text={`${words.figure} used`} share={words.used} tone={words.tone} />}
      </td>
      <td>{stops ? 'Stop' : 'Warn'}</td>
    </>
  );
}
