import { vscodeIdentity } from '../account/vscode-identity.ts';
import type { GoneModel } from '../api/models.ts';
import { isAutoOnly, isOffered } from '../copilot/model-entry.ts';
import { learnedFacts } from '../exchange/features/lessons/lessons.ts';
import { autoOnlyWords } from '../words/account.ts';
import { nothingLearned } from '../words/checks.ts';
import { counted } from '../words/numbers.ts';
import { failingRemedy, limitedUntil, limitReached, resetWords } from '../words/status.ts';
import { day, dayAndTime, endedAt, lastingMoment, timeParts } from '../words/times.ts';
import { type CheckDependencies, type CheckRun, isThroughVscode } from './check-run.ts';
import { type Finding, failed, passed, skipped, typed, warning } from './finding.ts';

export async function connection(run: CheckRun): Promise<Finding> {
  const { failed: problem, tookMs } = await run.models();
  const { account } = run.dependencies.state();
  const host = account.kind === 'signed-in' ? (account.apiHost ?? 'Copilot') : 'Copilot';
  return problem === null
    ? passed(`${host} answered in ${tookMs} ms`)
    : failed(`${host}: ${problem.text}`, problem.remedy);
}

export async function identity({ account, ports }: CheckDependencies): Promise<Finding> {
  const access = account.current();
  return access === null
    ? skipped('Needs a Copilot token first.')
    : identityFinding(access.identity('/v1/messages'), ports.clock.now());
}

export async function models(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return typed(failed('The list can’t be read.', 'Check the connection first.'));
  const { account, admission, goneModels: gone } = run.dependencies.state();
  const { way } = admission;
  if (isThroughVscode(run)) return passed(`VS Code offers ${counted(models.length, 'model')} of Copilot’s`);
  if (isAutoOnly(models) && run.dependencies.account.servesAuto()) {
    return passed(
      `${autoOnlyWords(account, { isServed: true, way }).title}. GitHub chooses one for each conversation: ask for “auto”.`,
    );
  }
  if (isAutoOnly(models)) {
    const { title, text, remedy } = autoOnlyWords(account, { way });
    return failed(`${title}. ${text}`, remedy);
  }
  if (gone.length > 0) {
    const place = gone.every(({ rule }) => rule !== undefined) ? 'in Settings → Rules' : 'under Models';
    return typed(warning(gone.map(goneWords).join(' '), `Choose another model for it ${place}.`));
  }
  const deprecated = models.flatMap((model) => model.warnings).find(({ code }) => code === 'client_version_deprecated');
  return deprecated === undefined
    ? passed(`${models.length} models, ${models.filter(isOffered).length} enabled for Claude Code`)
    : warning(`Copilot says: ${deprecated.message}`, 'Update Jumpseat.');
}

function goneWords({ model, asked, runsOn, rule, notAllowedBy: by }: GoneModel): string {
  if (rule !== undefined)
    return by === undefined
      ? `${model} isn’t in your catalog; rule ${rule} names it.`
      : `${model} isn’t allowed by ${by}; rule ${rule} names it.`;
  const now = runsOn === null ? 'gets error 404 now' : `runs on ${runsOn} now`;
  return by === undefined
    ? `${model} is no longer in your catalog; “${asked}” ${now}.`
    : `${model} isn’t allowed by ${by}; “${asked}” ${now}.`;
}

export async function policy(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return skipped('The models are not known.');
  const chat = models.filter((model) => model.type === 'chat' && model.pickerEnabled);
  const off = chat.filter((model) => model.policy === 'disabled').map((model) => model.id);
  if (off.length === 0) return passed('Every model is enabled');
  const recent = run.dependencies.history.recent({ limit: recentLimit });
  // One that nobody asks for is missed by nobody.
  return recent.some(({ failure }) => failure?.code === 'model-disabled')
    ? warning(
        `Off for this account: ${off.join(', ')}. Claude Code gets error 404 when it asks for ${off.length === 1 ? 'it' : 'one'}.`,
        `Turn ${off.length === 1 ? 'it' : 'them'} on at github.com/settings/copilot.`,
      )
    : passed(
        `Off for this account: ${off.join(', ')}. Nothing has asked for ${off.length === 1 ? 'it' : 'one'} lately`,
      );
}

/** What refusals have taught: why a field that was sent does not arrive. Each fact says until when it holds. */
export function learned({ lessons }: CheckDependencies): Finding {
  const facts = learnedFacts(lessons).map(({ model, text, until }) => `${model} ${text} (until ${dayAndTime(until)})`);
  return facts.length === 0 ? passed(nothingLearned) : { ...passed(facts.join('; ')), found: 'lessons' };
}

/** Number of requests that are looked at. */
export const recentLimit = 200;

export function lastSuccess({ history, ports, state }: CheckDependencies): Finding {
  const { limit, failing } = state().health;
  const now = ports.clock.now();
  // Until then the next request fails, too.
  if (limit !== null && now < limit.until) return failed(limitReached(limit.kind), resetWords(limit.until));
  if (failing?.until && now < failing.until) return failed(`${limitedUntil(failing.until, now)}.`, failingRemedy);
  const last = history
    .recent({ limit: recentLimit })
    .filter(({ path, outcome, failure }) => path !== null && outcome !== 'cancelled' && failure?.code !== 'stopped');
  const success = last.findLast((exchange) => exchange.outcome === 'done');
  const newest = last.at(-1);
  if (newest === undefined) return skipped('No request was made yet.');
  const when = success === undefined ? 'it began' : lastingMoment(endedAt(success), now);
  if (success === newest) return passed(when);
  // The check of the quota says why.
  if (success !== undefined && newest.status === 402 && state().status === 'exhausted') return passed(when);
  return typed(
    warning(
      `No request worked since ${when}. Last error: ${newest.failure?.message ?? newest.outcome}`,
      'Run "jumpseat log" to see it.',
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
  const editor = sent['Editor-Version'] ?? 'no editor';
  const plugin = sent['Editor-Plugin-Version'];
  const said = plugin === undefined ? editor : `${editor} with ${plugin}`;
  const { editorVersion, pluginVersion } = vscodeIdentity;
  if (!editor.startsWith('vscode/')) return passed(said);
  if (editor !== editorVersion.value || plugin !== pluginVersion.value) {
    return passed(`${said}, as settings.json says`);
  }
  const looked = Date.parse(`${editorVersion.on}T12:00:00Z`);
  const age = Math.max(0, dayCount(now) - dayCount(looked));
  const finding = `${said}, as VS Code was seen on ${day(looked)}, ${age === 0 ? 'today' : `${counted(age, 'day')} ago`}`;
  if (age < oldAfterDays) return passed(finding);
  return warning(`${finding}. Copilot turns versions away that are too old.`, 'Update Jumpseat.');
}
