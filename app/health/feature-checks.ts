import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Exchange } from '../api/exchange.ts';
import type { EngineName, SearchReport } from '../api/search.ts';
import { isKeyed, searchEngines } from '../api/search-engines.ts';
import type { AgentSource, AgentSources } from '../api/sessions.ts';
import type { Client } from '../api/setup.ts';
import { readSettingsFile } from '../claude-code/settings-file.ts';
import { readValues } from '../claude-code/settings-text.ts';
import { isWebFetchTrouble, type WebFetchTrouble } from '../exchange/features/web-fetch.ts';
import { msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { engineNames, reachProblem } from '../words/search.ts';
import { brokenSetups, setUpCommand } from '../words/setup.ts';
import { day, dayAndTime, lastingMoment } from '../words/times.ts';
import { type Finding, passed, skipped, typed, warning } from './finding.ts';

/* Checks of what is offered beside the proxy: web search, pages of the web, sessions, other programs. */

/** Whether an engine could search the web for clients. None is asked: a search may cost. */
export function searchFinding(report: SearchReport): Finding {
  const { engines } = report;
  if (engines.length === 0) return skipped(t('Off: nobody searches the web for clients'));
  const problems = engines.flatMap((engine) => problemWith(engine, report) ?? []);
  const [first] = problems;
  const names = engines.map((engine) => engineNames[engine]);
  if (first === undefined)
    return passed(names.reduce((before, name) => t('{first}, then {second}', { first: before, second: name })));
  return warning(problems.map(({ text }) => text).join(' '), first.remedy);
}

/** How the exports to an OpenTelemetry collector went. */
export interface OtlpReport {
  /** Null: nothing is exported. */
  endpoint: string | null;
  /** ms since the epoch; null: nothing has arrived there yet. */
  sentAt: number | null;
  /** Why the last export failed: a fragment. Null: it did not. */
  problem: string | null;
}

/** Whether the last export arrived. Sends nothing. */
export function otlpFinding({ endpoint, sentAt, problem }: OtlpReport, now: number): Finding {
  if (endpoint === null) return skipped(t('Off: no collector is set'));
  const last =
    sentAt === null ? t('Nothing has arrived yet') : t('Last export at {time}', { time: lastingMoment(sentAt, now) });
  if (problem === null) return passed(t('{endpoint}. {last}', { endpoint, last }));
  return warning(
    t('Metrics and traces don’t arrive at {endpoint}: {problem}. {last}. Requests work, and the log has all of them.', {
      endpoint,
      problem,
      last,
    }),
    t('Start the collector, or change its address in Settings → Privacy.'),
  );
}

const enter = msg('Enter one in Settings → Web search.');

function problemWith(
  engine: EngineName,
  { keys, searxng, models, reach }: SearchReport,
): { text: string; remedy: string } | null {
  const name = engineNames[engine];
  const unreachable = reachProblem(engine, reach);
  if (unreachable !== null) return unreachable;
  switch (engine) {
    case 'copilot':
      return models === null || models.length > 0
        ? null
        : {
            text: t('{engine} has no model that can search.', { engine: name }),
            remedy: t('Enable a GPT model at github.com/settings/copilot.'),
          };
    case 'searxng':
      if (searxng === 'usable') return null;
      return searxng === 'none'
        ? { text: t('{engine} has no address.', { engine: name }), remedy: translated(enter) }
        : {
            text: t('The address of {engine} is neither https nor http on this machine, and isn’t used.', {
              engine: name,
            }),
            remedy: translated(enter),
          };
    default:
      return keyProblem(engine, keys);
  }
}

function keyProblem(engine: EngineName, keys: SearchReport['keys']): { text: string; remedy: string } | null {
  if (!isKeyed(engine)) return null;
  const { title, key } = searchEngines[engine];
  const state = keys[engine];
  if (state === 'refused')
    return {
      text: t('{engine} refused its key.', { engine: title }),
      remedy: t('Enter a new key in Settings → Web search.'),
    };
  return state === 'none' && key === 'always'
    ? { text: t('{engine} has no key.', { engine: title }), remedy: translated(enter) }
    : null;
}

function troubleWords(trouble: WebFetchTrouble, at: number): string {
  const time = dayAndTime(at);
  switch (trouble) {
    case 'webfetch-unverified':
      return t(
        'It couldn’t ask Anthropic whether a domain is safe, and so loaded no page. A network that blocks api.anthropic.com does that. Last seen {time}.',
        { time },
      );
    case 'webfetch-rate-limited':
      return t(
        'It asked Anthropic about too many domains from this network, and so loaded no page. Last seen {time}.',
        { time },
      );
  }
}

/**
 * Whether Claude Code's WebFetch fails at the question that it asks Anthropic first. The proxy doesn't see that
 * question, but the results of its calls. No request is made.
 * @param skips Claude Code's settings switch that question off
 */
export function webFetchFinding(recent: readonly Exchange[], skips: boolean): Finding {
  if (skips) return passed(t('Loads pages without asking Anthropic first, as it was set'));
  for (const { fits, startedAt } of recent.toReversed()) {
    const trouble = fits.map(({ code }) => code).find(isWebFetchTrouble);
    if (trouble === undefined) continue;
    return {
      verdict: 'warning',
      finding: troubleWords(trouble, startedAt),
      remedy: t(
        'Let it load pages without asking: "jumpseat setup claude-code --skip-webfetch-preflight". Or use web_fetch of Jumpseat’s MCP server.',
      ),
      remedyFor: 'terminal',
      found: 'webfetch-asks-in-vain',
    };
  }
  return passed(t('Asks Anthropic about each new domain; no page failed at that'));
}

/** The Claude Code that Jumpseat's sessions use. */
export interface SessionProgram {
  found:
    | { available: true; version: string; from: AgentSource }
    | { available: false; reason: string; remedy: string; isChosen: boolean };
  sources: AgentSources | null;
}

function programWords(version: string, from: AgentSource): string {
  switch (from) {
    case 'own':
      return t('{version}, the claude on this machine', { version });
    case 'fetched':
      return t('{version}, the copy that Jumpseat fetched', { version });
    case 'file':
      return t('{version}, the file that was chosen', { version });
  }
}

/** Nobody is asked. Where sessions were never used, nothing is missing. */
export function sessionProgramFinding({ found, sources }: SessionProgram): Finding {
  if (!found.available) {
    const { reason, remedy, isChosen } = found;
    return isChosen
      ? { verdict: 'warning', finding: reason, remedy }
      : { verdict: 'skipped', finding: t('Not set up. {reason}', { reason }), remedy: null };
  }
  const newer = found.from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  const finding = programWords(found.version, found.from);
  if (newer === null) return { verdict: 'passed', finding, remedy: null };
  return {
    verdict: 'passed',
    finding: t('{finding}. {version} can be fetched: “Update” in Settings → Sessions', {
      finding,
      version: newer.version,
    }),
    remedy: null,
  };
}

/** A client that worked, and shows another key now. Times in ms since the epoch. */
export interface RefusedClient {
  /** Its name after the key. */
  label: string;
  refusedAt: number;
  workedAt: number;
}

/** Of the clients that have ever worked, those whose last try was refused. */
export function refusedSince(
  last: readonly { client: string; at: number }[],
  refused: { at(client: string): number | null },
): RefusedClient[] {
  return last.flatMap(({ client, at }) => {
    const refusedAt = refused.at(client);
    return refusedAt === null || refusedAt < at ? [] : [{ label: client, refusedAt, workedAt: at }];
  });
}

/**
 * Whether programs that worked still lead here. Other tools and updates write into the files of those that Jumpseat set
 * up; of those that got lines by hand only their refused keys are seen.
 */
export function clientsFinding(
  clients: readonly Client[],
  refused: readonly RefusedClient[] = [],
  now: number = Date.now(),
): Finding {
  const broken = brokenSetups(clients);
  // The file says why already.
  const others = refused.filter(({ label }) => !broken.some(({ client }) => client.label === label));
  const problems = [
    ...broken.map(({ client, trouble }) => t('{client}: {trouble}', { client: client.title, trouble })),
    ...others.map(refusal(now)),
  ];
  if (problems.length > 0) {
    const commands = broken.map(({ client, use }) => `"${setUpCommand(client, use)}"`);
    const lines = others.map(
      ({ label }) => `"jumpseat env --for ${label === 'claude-code' ? label : `openai --client ${label}`}"`,
    );
    const remedies = [
      ...(commands.length === 0 ? [] : [t('Run {commands}.', { commands: commands.join(', ') })]),
      ...(lines.length === 0
        ? []
        : [t('Copy the lines again from Settings → Clients, or with {commands}.', { commands: lines.join(', ') })]),
    ];
    const finding = warning(problems.join(' '), remedies.join(' '));
    const [first] = broken;
    if (first === undefined) return finding;
    const { name, title } = first.client;
    const uses = broken.filter(({ client }) => client === first.client).map(({ use }) => use);
    // Words that only one of the two needs stay beside the button.
    return { ...(others.length === 0 ? typed(finding) : finding), client: { name, title, uses } };
  }
  const whole = clients.filter(({ uses }) => uses.some(({ by }) => by === 'jumpseat'));
  return whole.length === 0 ? skipped(t('None is set up')) : passed(whole.map(({ title }) => title).join(', '));
}

const refusal =
  (now: number) =>
  ({ label, refusedAt, workedAt }: RefusedClient): string =>
    t('{client} worked until {until}. Its key was refused at {at}.', {
      client: label,
      until: lastingMoment(workedAt, now),
      at: lastingMoment(refusedAt, now),
    });

/** Where its settings name no other (`cleanupPeriodDays`), Claude Code keeps a conversation this long. */
const usualDays = 30;
const dayMs = 86_400_000;
/** Losses are announced this long before. */
const soonMs = 7 * dayMs;

/**
 * When Claude Code deletes its next conversations. It does so at its start, so many days after their last change, and
 * tells nobody.
 */
export async function conversationsFinding(
  settings: string,
  now: number,
  isOurs: () => Promise<boolean>,
): Promise<Finding> {
  const [chosen, changes] = await Promise.all([chosenDays(settings), lastChanges(join(dirname(settings), 'projects'))]);
  const days = chosen ?? usualDays;
  const period = t(
    'Claude Code deletes conversations {days, plural, one {# day} other {# days}} after their last message.',
    { days },
  );
  const soon = changes.filter((at) => at + days * dayMs < now + soonMs);
  if (chosen !== null) return (await isOurs()) ? { ...passed(period), found: 'our-days' } : passed(period);
  if (soon.length === 0) return { ...passed(period), found: 'usual-days' };
  const next = Math.min(...soon) + days * dayMs;
  const count = soon.length;
  const losses =
    next <= now
      ? t(
          '{count, plural, one {# conversation} other {# conversations}} will be deleted within 7 days, the first at its next start.',
          { count },
        )
      : t(
          '{count, plural, one {# conversation} other {# conversations}} will be deleted within 7 days, the first on {day}.',
          { count, day: day(next) },
        );
  return typed(
    warning(`${period} ${losses}`, t('To keep them for a year, run "jumpseat setup claude-code --keep-days 365".')),
  );
}

/** Null if Claude Code's settings name none, or can't be read. */
async function chosenDays(settings: string): Promise<number | null> {
  try {
    const { text } = await readSettingsFile(settings);
    const value = readValues(text ?? '').get('cleanupPeriodDays')?.value;
    return typeof value === 'number' ? value : null;
  } catch {
    return null;
  }
}

/** When each conversation was last written to, in ms. */
async function lastChanges(projects: string): Promise<number[]> {
  const folders = await namesIn(projects);
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await namesIn(join(projects, folder));
      return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(projects, folder, name));
    }),
  );
  const found = await Promise.all(files.flat().map((file) => stat(file).catch(() => null)));
  return found.flatMap((one) => (one === null ? [] : [one.mtimeMs]));
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
