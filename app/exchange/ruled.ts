import type { Reach } from '../api/account.ts';
import type { FitNote } from '../api/exchange.ts';
import type { Sent } from '../copilot/client.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import { msg } from '../language/messages.ts';
import { altered, sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { changeRule, ruleInWords } from '../words/models.ts';
import { capital } from '../words/text.ts';
import type { ExchangeDependencies } from './dependencies.ts';
import type { ChosenModel, Replannable } from './feature.ts';
import { readPrompt } from './initiator/reading.ts';
import type { Limits } from './limits/admit.ts';
import { absenceContext, absenceOfName } from './model/absence.ts';
import { resolveTarget } from './model/resolve.ts';
import {
  classOf,
  effortOf,
  type FollowedRule,
  isRefusal,
  reasonToFallBack,
  ruleFor,
  ruleNote,
  withEffort,
} from './model/rules.ts';
import type { Run } from './record.ts';
import { refuse, refuseModel, Stopped } from './recover/error.ts';
import type { Sending } from './send.ts';

/** The steps that a rule needs besides its own. */
interface OtherSteps {
  readonly dependencies: Pick<ExchangeDependencies, 'settings' | 'folders' | 'accounts'>;
  readonly limits: Pick<Limits, 'own'>;
  sendRecovering<P extends Replannable<P>>(
    run: Run,
    first: P,
    model: CatalogModel,
    sending: Sending,
  ): Promise<Outcome<P>>;
}

/** What was sent last for a client's request, and what came of it. */
export interface Outcome<P> {
  plan: P;
  sent: Sent;
  notes: FitNote[];
}

/**
 * The steps of a request where the person has rules; without any, none of this runs. `follow` comes before the verdict,
 * which is made of the request as it came in, whatever the rule says.
 */
export class Ruled {
  readonly #steps: OtherSteps;

  constructor(steps: OtherSteps) {
    this.#steps = steps;
  }

  /** Finds the request's rule, and uses the account that it names. Throws `Stopped` where there is no such account. */
  async follow(run: Run, request: { model: string }): Promise<void> {
    const { call, row } = run;
    const { settings, folders } = this.#steps.dependencies;
    const { rules } = settings.current().models;
    // A count is for the request that will be sent. No key of the ledger is made of this reading.
    const api = row.api === 'count-tokens' ? 'messages' : row.api;
    const reading = readPrompt({ api, headers: call.headers, body: request, salt: noSalt });
    const who = {
      ...{ client: call.client, session: reading.sessionKey, model: request.model, class: classOf(reading) },
      ...(call.key !== undefined && { key: call.key }),
    };
    if (rules.some(({ when }) => when.folder !== undefined)) {
      await folders.learnAll();
      await folders.learn(who);
      call.signal.throwIfAborted();
    }
    const rule = ruleFor(rules, who, folders);
    if (rule === null) return;
    run.follows(rule);
    const { account } = rule.use;
    if (account === undefined) return;
    const used = this.#steps.dependencies.accounts.named(account);
    if (used === null) throw noAccount(ruleInWords(rule), account, settings.current().reach);
    if (used.id !== run.used.id) row.fits.push(ruleNote(rule, 'account', `account ${account}`));
    run.uses(used);
  }

  /** The request with the rule's effort. */
  shaped<Body extends object>(run: Run, request: Body): Body {
    const { rule, row } = run;
    const effort = rule?.use.effort;
    if (rule === null || effort === undefined) return request;
    const before = effortOf(request, row.api);
    if (before === effort) return request;
    row.fits.push(ruleNote(rule, 'effort', `effort ${before === null ? '' : `${before} → `}${effort}`));
    return withEffort(request, row.api, effort);
  }

  /**
   * The rule's model, or `asked`, the one that the name means; the fallback where that is off for the account, or at a
   * limit of the person's. Throws `Stopped` where a name of the rule means nothing.
   */
  async choose(run: Run, { models, offered }: Choices, asked: () => ChosenModel): Promise<ChosenModel> {
    const { rule, row } = run;
    if (rule === null || row.api === 'embeddings') return asked();
    const { model: name, fallback } = rule.use;
    const second = fallback === undefined ? null : () => this.#named(run, rule, fallback, { models, offered });
    const instead = (from: string, reason: string, model: CatalogModel): ChosenModel => {
      run.fellBack = true;
      return { model, auto: null, note: ruleNote(rule, 'fallback', `model ${from} → ${model.id} (${reason})`) };
    };
    let first: ChosenModel;
    try {
      const note = { code: 'model-rule', count: 1, text: t('Your {rule}.', { rule: ruleInWords(rule) }) };
      first =
        name === undefined ? asked() : { model: this.#named(run, rule, name, { models, offered }), auto: null, note };
    } catch (error) {
      const isOff = error instanceof Stopped && error.error.failure.code === 'model-disabled';
      if (!isOff || second === null) throw error;
      return instead(name ?? row.askedModel ?? '?', msg('off for this account'), second());
    }
    if (second === null) return first;
    const { own } = this.#steps.limits;
    await own.ready(row);
    const isHeld = ({ id }: CatalogModel): boolean => own.reached({ ...row, servedModel: id }) !== null;
    if (!isHeld(first.model)) return first;
    const model = second();
    return isHeld(model) ? first : instead(first.model.id, msg('your limit for it is used up'), model);
  }

  /**
   * Asks the fallback where Copilot refused the first model for a reason of its own, before a byte of an answer and
   * within the request's repeats. Null if it is not asked. Where it is refused as well, the client gets the refusal of
   * the first.
   */
  async fallBack<P extends Replannable<P>>(
    run: Run,
    first: Outcome<P>,
    sending: Sending,
    planOn: (model: CatalogModel) => Promise<P>,
  ): Promise<Outcome<P> | null> {
    const { rule, chosen, row, used } = run;
    const name = rule?.use.fallback;
    if (rule === null || name === undefined || chosen === null || first.sent.ok || run.fellBack) return null;
    const models = used.catalog.known() ?? [];
    const choice = resolveTarget(name, models);
    if (!choice.ok || choice.model.id === chosen.model.id) return null;
    const { model } = choice;
    const reason = reasonToFallBack(first.sent.failure, model);
    if (reason === null || this.#steps.limits.own.reached({ ...row, servedModel: model.id }) !== null) return null;
    const plan = await planned(planOn, model);
    if (plan === null || !sending.budget.take()) return null;
    const last = row.attempts.at(-1);
    if (last !== undefined) last.retriedBecause = 'fallback';
    const { path } = row;
    run.fellBack = true;
    run.chose({ ...chosen, model, auto: null });
    row.path = plan.path;
    const second = await this.#steps.sendRecovering(run, plan, model, sending);
    const note = ruleNote(rule, 'fallback', `model ${chosen.model.id} → ${model.id} (${reason})`);
    if (second.sent.ok || !isRefusal(second.sent.failure)) return { ...second, notes: [note, ...second.notes] };
    run.fellBack = false;
    run.chose(chosen);
    row.path = path;
    const both = { ...note, text: `${note.text.slice(0, -1)}; refused as well)` };
    return { ...first, notes: [...first.notes, both] };
  }

  /** The model that a name in the rule means. Throws `Stopped` where it means none. */
  #named({ used }: Run, rule: FollowedRule, name: string, { models, offered }: Choices): CatalogModel {
    const choice = resolveTarget(name, models);
    if (choice.ok) return choice.model;
    const absence = absenceOfName(choice, absenceContext(used));
    const remedy = absence.kind === 'policy' ? absence.remedy : changeRule;
    const text = t('{rule} names “{name}”: {text}', {
      rule: altered(ruleInWords(rule), capital),
      name,
      text: absence.text,
    });
    throw new Stopped(refuseModel({ ...absence, text, remedy }, offered, true));
  }
}

interface Choices {
  models: readonly CatalogModel[];
  /** Ids of the models that this request may name. */
  offered: readonly string[];
}

/** For a reading of which no key is kept. */
const noSalt = Buffer.alloc(32);

function noAccount(rule: string, account: string, reach: Reach): Stopped {
  const message =
    reach === 'directly'
      ? t('Jumpseat: {rule} names the account “{account}”, but there is no account of this name.', { rule, account })
      : t(
          'Jumpseat: {rule} names the account “{account}”, but requests go through VS Code, which has its own account.',
          { rule, account },
        );
  return new Stopped(refuse(403, 'permission_error', 'rule-account', sentences(message, changeRule), false));
}

/** Null if the model can't take the request. */
async function planned<P>(planOn: (model: CatalogModel) => Promise<P>, model: CatalogModel): Promise<P | null> {
  try {
    return await planOn(model);
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
}
