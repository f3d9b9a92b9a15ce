import { vscodeIdentity } from '../account/vscode-identity.ts';
import type { GoneModel } from '../api/models.ts';
import { isAutoOnly, isOffered } from '../copilot/model-entry.ts';
import { learnedFacts } from '../exchange/features/lessons/lessons.ts';
import { t, translated } from '../language/translate.ts';
import { autoOnlyWords } from '../words/account.ts';
import { nothingLearned } from '../words/checks.ts';

import { failingRemedy, limitedUntil, limitReached, resetWords } from '../words/status.ts';

import { day, dayAndTime, endedAt, lastingMoment, timeParts } from '../words/times.ts';
import { type CheckDependencies, type CheckRun, isThroughVscode } from './check-run.ts';
import { type Finding, failed, passed, skipped, typed, warning } from './finding.ts';

export async function connection(run: CheckRun): Promise<Finding> {
  const { failed: problem, tookMs } = await run.models();
  const { account } = run.dependencies.state();
  const host = account.kind === 'signed-in' ? (account.apiHost ?? 'Copilot') : 'Copilot';
  return problem === null
    ? { ...passed(t('{host} answered in {ms} ms', { host, ms: String(tookMs) })), tookMs }
    : failed(t('{host}: {problem}', { host, problem: problem.text }), problem.remedy);
}

export async function identity({ account, ports }: CheckDependencies): Promise<Finding> {
  const access = account.current();
  return access === null
    ? skipped(t('Needs a Copilot token first.'))
    : identityFinding(access.identity('/v1/messages'), ports.clock.now());
}

export async function models(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return typed(failed(t('The list can’t be read.'), t('Check the connection first.')));
  const { account, admission, goneModels: gone } = run.dependencies.state();
  const { way } = admission;
  if (isThroughVscode(run))
    return passed(
      t('VS Code offers {count, plural, one {# model} other {# models}} of Copilot’s', { count: models.length }),
    );
  if (isAutoOnly(models) && run.dependencies.account.servesAuto()) {
    const { title } = autoOnlyWords(account, { isServed: true, way });
    return passed(t('{title}. GitHub chooses one for each conversation: ask for “auto”.', { title }));
  }
  if (isAutoOnly(models)) {
    const { title, text, remedy } = autoOnlyWords(account, { way });
    return failed(t('{title}. {text}', { title, text }), remedy);
  }
  if (gone.length > 0) {
    const remedy = gone.every(({ rule }) => rule !== undefined)
      ? t('Choose another model for it in Settings → Rules.')
      : t('Choose another model for it under Models.');
    return typed(warning(gone.map(goneWords).join(' '), remedy));
  }
  const deprecated = models.flatMap((model) => model.warnings).find(({ code }) => code === 'client_version_deprecated');
  return deprecated === undefined
    ? passed(
        t('{count} models, {enabled} enabled for Claude Code', {
          count: String(models.length),
          enabled: String(models.filter(isOffered).length),
        }),
      )
    : warning(t('Copilot says: {message}', { message: deprecated.message }), t('Update Jumpseat.'));
}

function goneWords({ model, asked, runsOn, rule, notAllowedBy: by }: GoneModel): string {
  if (rule !== undefined)
    return by === undefined
      ? t('{model} isn’t in your catalog; rule {rule} names it.', { model, rule })
      : t('{model} isn’t allowed by {by}; rule {rule} names it.', { model, by, rule });
  if (runsOn === null)
    return by === undefined
      ? t('{model} is no longer in your catalog; “{asked}” gets error 404 now.', { model, asked })
      : t('{model} isn’t allowed by {by}; “{asked}” gets error 404 now.', { model, by, asked });
  return by === undefined
    ? t('{model} is no longer in your catalog; “{asked}” runs on {runsOn} now.', { model, asked, runsOn })
    : t('{model} isn’t allowed by {by}; “{asked}” runs on {runsOn} now.', { model, by, asked, runsOn });
}

export async function policy(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return skipped(t('The models are not known.'));
  const chat = models.filter((model) => model.type === 'chat' && model.pickerEnabled);
  const off = chat.filter((model) => model.policy === 'disabled').map((model) => model.id);
  if (off.length === 0) return passed(t('Every model is enabled'));
  const recent = run.dependencies.history.recent({ limit: recentLimit });
  // One that nobody asks for is missed by nobody.
  return recent.some(({ failure }) => failure?.code === 'model-disabled')
    ? warning(
        t(
          'Off for this account: {names}. Claude Code gets error 404 when it asks for {count, plural, one {it} other {one}}.',
          { names: off.join(', '), count: off.length },
        ),
        t('Turn {count, plural, one {it} other {them}} on at github.com/settings/copilot.', { count: off.length }),
      )
    : passed(
        t('Off for this account: {names}. Nothing has asked for {count, plural, one {it} other {one}} lately', {
          names: off.join(', '),
          count: off.length,
        }),
      );
}

/** What refusals have taught: why a field that was sent does not arrive. Each fact says until when it holds. */
export function learned({ lessons }: CheckDependencies): Finding {
  const facts = learnedFacts(lessons).map(({ model, text, until }) =>
    t('{model} {lesson}, until {time}', { model, lesson: text, time: dayAndTime(until) }),
  );
  return facts.length === 0 ? passed(translated(nothingLearned)) : { ...passed(facts.join('; ')), found: 'lessons' };
}

/** Number of requests that are looked at. */
export const recentLimit = 200;

export function lastSuccess({ history, ports, state }: CheckDependencies): Finding {
  const { limit, failing } = state().health;
  const now = ports.clock.now();
  // Until then the next request fails, too.
  if (limit !== null && now < limit.until) return failed(limitReached(limit.kind), resetWords(limit.until));
  if (failing?.until && now < failing.until)
    return failed(t('{words}.', { words: limitedUntil(failing.until, now) }), translated(failingRemedy));
  const last = history
    .recent({ limit: recentLimit })
    .filter(({ path, outcome, failure }) => path !== null && outcome !== 'cancelled' && failure?.code !== 'stopped');
  const success = last.findLast((exchange) => exchange.outcome === 'done');
  const newest = last.at(-1);
  if (newest === undefined) return skipped(t('No request was made yet.'));
  const when = success === undefined ? null : lastingMoment(endedAt(success), now);
  if (success === newest) return passed(when ?? '');
  // The check of the quota says why.
  if (success !== undefined && newest.status === 402 && state().status === 'exhausted') return passed(when ?? '');
  const error = newest.failure?.message ?? newest.outcome;
  return typed(
    warning(
      when === null
        ? t('No request worked since it began. Last error: {error}', { error })
        : t('No request worked since {when}. Last error: {error}', { when, error }),
      t('Run "jumpseat log" to see it.'),
    ),
  );
}

const dayMs = 24 * 60 * 60 * 1000;
/** Copilot turns old versions away; from which age on is not known. */
const oldAfterDays = 180;

/** Days between dates as they are shown, not spans of 24 hours. */
function dayCount(at: number): number {
  const { year, month, day: date } = timeParts(at);
  return Date.UTC(year, month, date) / dayMs;
}

/** The identity sent to Copilot, and its age. `sent` are the headers of a request. */
export function identityFinding(sent: Readonly<Record<string, string>>, now: number): Finding {
  const editor = sent['Editor-Version'] ?? t('no editor');
  const plugin = sent['Editor-Plugin-Version'];
  const said = plugin === undefined ? editor : t('{editor} with {plugin}', { editor, plugin });
  const { editorVersion, pluginVersion } = vscodeIdentity;
  if (!editor.startsWith('vscode/')) return passed(said);
  if (editor !== editorVersion.value || plugin !== pluginVersion.value) {
    return passed(t('{identity}, as settings.json says', { identity: said }));
  }
  const looked = Date.parse(`${editorVersion.on}T12:00:00Z`);
  const age = Math.max(0, dayCount(now) - dayCount(looked));
  const finding = t(
    '{identity}, VS Code’s versions of {day} ({age, plural, =0 {today} one {# day ago} other {# days ago}})',
    { identity: said, day: day(looked), age },
  );
  if (age < oldAfterDays) return passed(finding);
  return warning(t('{finding}. Copilot turns versions away that are too old.', { finding }), t('Update Jumpseat.'));
}
