import type { Account } from '../../account/account.ts';
import type { AccountState, Way } from '../../api/account.ts';
import type { Absence, ModelAnswer } from '../../api/models.ts';
import { type Catalog, pathFor } from '../../copilot/catalog.ts';
import { type CatalogModel, isAutoOnly } from '../../copilot/model-entry.ts';
import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import { autoOnlyWords, planName } from '../../words/account.ts';
import { notAllowedWords } from '../../words/models.ts';
import { refuseModel, Stopped } from '../recover/error.ts';
import {
  asksForAuto,
  hiddenMeant,
  isOneOf,
  type ModelChoice,
  type ModelOptions,
  type ModelRefusal,
  nearestOf,
  resolveModel,
} from './resolve.ts';

/** What the reasons are read from besides the name. */
export interface AbsenceContext {
  models: readonly CatalogModel[];
  account: AccountState;
  /** The way in that is in use. */
  way: Way;
  /** Ids of what was offered on the other way in. */
  elsewhere: { way: Way; ids: readonly string[] };
  /** GitHub is asked to choose models for this account. */
  servesAuto: boolean;
}

/** The context with what is known now. */
export function absenceContext(parts: {
  catalog: Catalog;
  account: Pick<Account, 'state' | 'servesAuto'>;
}): AbsenceContext {
  const { catalog, account } = parts;
  return {
    models: catalog.known() ?? [],
    account: account.state(),
    way: catalog.way(),
    elsewhere: catalog.elsewhere(),
    servesAuto: account.servesAuto(),
  };
}

/** Why a model of the catalog is not offered to clients; null if it is. The first reason is the first to fix. */
export function absenceOf(model: CatalogModel, context: AbsenceContext): Absence | null {
  const { id } = model;
  if (model.type === 'embeddings')
    return {
      kind: 'type',
      text: t('{id} is for embeddings, not for conversations.', { id }),
      remedy: t('Ask for it at /v1/embeddings.'),
    };
  if (model.type !== 'chat')
    return {
      kind: 'type',
      text: t('{id} is for {type}, not for conversations.', { id, type: model.type }),
      remedy: null,
    };
  if (model.policy === 'disabled')
    // A plan that lacks the model has no switch for it.
    return (
      ofOtherPlans(model, context) ?? {
        kind: 'policy',
        text: t('{id} is off for this account.', { id }),
        remedy: t('Turn it on at github.com/settings/copilot.'),
      }
    );
  if (pathFor(model, 'messages') === null) {
    const only = model.endpoints.length === 0 ? 'no endpoint' : `only ${model.endpoints.join(', ')}`;
    return { kind: 'endpoint', text: t('{id} has {only}, which Jumpseat doesn’t speak.', { id, only }), remedy: null };
  }
  if (!model.pickerEnabled) return notToChoose(model, context);
  if (!model.supports.toolCalls)
    return {
      kind: 'tools',
      text: t('{id} doesn’t support tools, which Claude Code needs.', { id }),
      remedy: byExactName,
    };
  return null;
}

const byExactName = msg('Asked for by its exact id it is sent, and Copilot decides.');

function notToChoose(model: CatalogModel, context: AbsenceContext): Absence {
  if (isAutoOnly(context.models)) return autoOnly(context);
  const text = t('{id} is in the catalog, but GitHub doesn’t offer it to choose.', { id: model.id });
  return ofOtherPlans(model, context) ?? { kind: 'picker', text, remedy: byExactName };
}

/** Null if the account's plan has it, or one of both is not known. */
function ofOtherPlans({ id, plans }: CatalogModel, { account }: AbsenceContext): Absence | null {
  const plan = planOf(account);
  if (plan === null || plans.length === 0 || plans.includes(plan.listed)) return null;
  const names = plans.map((listed) => planNames[listed] ?? listed).join(', ');
  return {
    kind: 'plan',
    text: t('{id} isn’t part of {name}. GitHub lists it for {names}.', { id, name: plan.name, names }),
    remedy: t('Choose such a plan at github.com/features/copilot/plans, or sign in with another account.'),
  };
}

function autoOnly({ account, servesAuto, way }: AbsenceContext): Absence {
  const { title, text, remedy } = autoOnlyWords(account, { isServed: servesAuto, way });
  return { kind: 'auto-only', text: `${title}. ${text}`, remedy };
}

/** Why a name resolves to no model. */
export function absenceOfName(refusal: ModelRefusal, context: AbsenceContext): Absence {
  const absence = absenceOfMeant(refusal, context);
  const { override } = refusal;
  if (override === undefined) return absence;
  return {
    ...absence,
    text: t('Your override “{name}” names {target}. {text}', {
      name: override.name,
      target: override.target,
      text: absence.text,
    }),
    remedy:
      absence.kind === 'not-in-catalog'
        ? t('Change or remove it in Models, or under modelOverrides in settings.json.')
        : absence.remedy,
  };
}

function absenceOfMeant({ model, named }: ModelRefusal, context: AbsenceContext): Absence {
  const { models } = context;
  const wanted = named.trim().toLowerCase();
  const exact = model ?? models.find(({ id }) => id.toLowerCase() === wanted);
  const hidden = exact === undefined ? notAllowed(named, models) : null;
  if (hidden !== null) return hidden;
  const meant = exact ?? nearestOf(named, models);
  const absence = meant === null ? null : absenceOf(meant, context);
  if (absence !== null) return absence;
  const { way, ids } = context.elsewhere;
  if (isOneOf(named, ids)) return otherWay(named.trim(), way);
  if (asksForAuto(named, {})) return context.way === 'vscode' ? noAutoHere : noAutoThere;
  if (isAutoOnly(models)) return autoOnly(context);
  return {
    kind: 'not-in-catalog',
    text: t('Copilot has no model "{named}" for this account.', { named: named.trim() }),
    remedy: t('Use a name that "jumpseat models" lists with a model, or add an override for it in Models.'),
  };
}

/** Null if the name is of no model that the settings hide. */
function notAllowed(named: string, models: readonly CatalogModel[]): Absence | null {
  const hidden = hiddenMeant(named, models);
  if (hidden === null) return null;
  return {
    kind: 'not-allowed',
    text: notAllowedWords(hidden.id, hidden.by),
    remedy: t('Use a name that "jumpseat models" lists with a model.'),
  };
}

function noEmbeddings({ id }: CatalogModel): Absence {
  return { kind: 'type', text: t('{id} makes no embeddings.', { id }), remedy: t('Name a model that does.') };
}

const noAutoHere: Absence = {
  kind: 'other-way',
  text: msg(
    'Auto (GitHub chooses the model) needs the sign-in through GitHub’s Copilot SDK, with an account of ' +
      'github.com.',
  ),
  remedy: msg('Sign in that way: Settings → Account, or "jumpseat login --way copilot-sdk".'),
};

/** Absence on the way that has Auto, at a host that doesn't. */
const noAutoThere: Absence = {
  kind: 'not-in-catalog',
  text: msg('Jumpseat lets GitHub choose a model (Auto) only for accounts of github.com, not for a company’s host.'),
  remedy: msg('Ask for a model by its name; "jumpseat models" has them.'),
};

function otherWay(name: string, way: Way): Absence {
  const ways = { vscode: t('VS Code’s sign-in'), 'copilot-sdk': t('GitHub’s runtime') } as const;
  const here = ways[way === 'vscode' ? 'copilot-sdk' : 'vscode'];
  return {
    kind: 'other-way',
    text: t('Copilot lists no model "{name}" for {here}. It did for {ways}, while you were signed in that way.', {
      name,
      here,
      ways: ways[way],
    }),
    remedy: t('Sign in that way again: Settings → Account, or "jumpseat login --way {way}".', { way }),
  };
}

/**
 * What a name leads to, or why to nothing: the answer to "why is this model not here?".
 * @param choice of the same name
 */
export function explainName(
  asked: string,
  choice: ModelChoice,
  context: AbsenceContext,
  overrides: Record<string, string> = {},
): ModelAnswer {
  if (context.servesAuto && asksForAuto(asked, overrides)) {
    return { asked, kind: 'here', model: null, text: autoText, remedy: null, rule: null };
  }
  if (!choice.ok) {
    const { kind, text, remedy } = absenceOfName(choice, context);
    return { asked, kind, model: choice.model?.id ?? null, text, remedy, rule: null };
  }
  const { id } = choice.model;
  const absence = absenceOf(choice.model, context);
  if (absence !== null) return { asked, model: id, ...absence, rule: null };
  const runs =
    asked === id ? t('{id} is available for this account.', { id }) : t('"{asked}" runs on {id}.', { asked, id });
  const text = `${runs}${choice.note === null ? '' : ` ${choice.note}`}`;
  return { asked, kind: 'here', model: id, text, remedy: null, rule: null };
}

/** Names of plans in the catalog's `billing.restricted_to`. */
const planNames: Readonly<Record<string, string>> = {
  free: 'Free',
  edu: 'Student',
  pro: 'Pro',
  individual_trial: 'a Pro trial',
  pro_plus: 'Pro+',
  max: 'Max',
  business: 'Business',
  enterprise: 'Enterprise',
};

const listedPlans: Readonly<Record<string, string>> = {
  free: 'free',
  edu: 'edu',
  individual: 'pro',
  individual_pro: 'pro_plus',
  individual_max: 'max',
  business: 'business',
  enterprise: 'enterprise',
};

/** Null if it is not sure which one it is: then nothing is said of plans. */
function planOf(account: AccountState): { listed: string; name: string } | null {
  if (account.kind !== 'signed-in') return null;
  const { plan, sku } = account;
  const name = planName(plan, sku);
  if (name === null || sku?.includes('trial') === true) return null;
  if (sku?.startsWith('free_limited')) return { listed: 'free', name };
  if (sku?.startsWith('free_educational')) return { listed: 'edu', name };
  const listed = listedPlans[plan ?? ''];
  return listed === undefined ? null : { listed, name };
}

/** The name means no model that can be used. */
export function meansNone(
  asked: string,
  choice: ModelRefusal,
  models: readonly CatalogModel[],
  options: ModelOptions,
  { offered, used }: { offered: readonly string[]; used: Parameters<typeof absenceContext>[0] },
): Stopped {
  const chat = options.type === 'embeddings' ? resolveModel(asked, models, { ...options, type: 'chat' }) : null;
  const absence = chat?.ok === true ? noEmbeddings(chat.model) : absenceOfName(choice, absenceContext(used));
  return new Stopped(refuseModel(absence, offered));
}

/** What is said of a model that GitHub chose (Auto). */

export const chosenNow = msg(
  'GitHub has just chosen it for this conversation (Auto). No word of the conversation was sent for that.',
);
export const chosenBefore = msg('GitHub chose it for this conversation (Auto).');

export const autoText = msg(
  'GitHub chooses a model for each conversation (Auto), and again after a compaction. No word of the conversation is sent for that.',
);

export const noAuto = msg(
  'Jumpseat: GitHub chose no model (Auto): this account has no Auto, or api.githubcopilot.com was not reached. Try ' +
    'again in a minute; "jumpseat doctor" looks at the connection.',
);

export function autoUnknown(model: string): string {
  return t('Jumpseat: GitHub chose {model} (Auto), which Copilot doesn’t list for this account. Try again.', { model });
}
