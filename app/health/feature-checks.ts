import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '../api/clients.ts';
import type { Exchange } from '../api/exchange.ts';
import type { EngineName, SearchReport } from '../api/search.ts';
import { isKeyed, searchEngines } from '../api/search-engines.ts';
import type { AgentSource, AgentSources } from '../api/sessions.ts';
import { readSettingsFile } from '../claude-code/settings-file.ts';
import { readValues } from '../claude-code/settings-text.ts';
import { isWebFetchTrouble, type WebFetchTrouble } from '../exchange/features/web-fetch.ts';
import { counted } from '../words/numbers.ts';
import { engineNames, reachProblem } from '../words/search.ts';
import { brokenSetups, setUpCommand } from '../words/setup.ts';
import { day, dayAndTime, lastingMoment } from '../words/times.ts';
import { type Finding, passed, skipped, typed, warning } from './finding.ts';

/* Checks of what is offered beside the proxy: web search, pages of the web, sessions, other programs. */

/** Whether an engine could search the web for clients. None is asked: a search may cost. */
export function searchFinding(report: SearchReport): Finding {
  const { engines } = report;
  if (engines.length === 0) return skipped('Off: nobody searches the web for clients');
  const problems = engines.flatMap((engine) => problemWith(engine, report) ?? []);
  const [first] = problems;
  const names = engines.map((engine) => engineNames[engine]).join(', then ');
  if (first === undefined) return passed(names);
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
  if (endpoint === null) return skipped('Off: no collector is set');
  const last = sentAt === null ? 'Nothing has arrived yet' : `Last export at ${lastingMoment(sentAt, now)}`;
  if (problem === null) return passed(`${endpoint}. ${last}`);
  return warning(
    `Metrics and traces don’t arrive at ${endpoint}: ${problem}. ${last}. Requests work, and the log has all of them.`,
    'Start the collector, or change its address in Settings → Privacy.',
  );
}

const enter = 'Enter one in Settings → Web search.';

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
            text: `${name} has no model that can search.`,
            remedy: 'Enable a GPT model at github.com/settings/copilot.',
          };
    case 'searxng':
      if (searxng === 'usable') return null;
      return searxng === 'none'
        ? { text: `${name} has no address.`, remedy: enter }
        : { text: `The address of ${name} is neither https nor http on this machine, and isn’t used.`, remedy: enter };
    default:
      return keyProblem(engine, keys);
  }
}

function keyProblem(engine: EngineName, keys: SearchReport['keys']): { text: string; remedy: string } | null {
  if (!isKeyed(engine)) return null;
  const { title, key } = searchEngines[engine];
  const state = keys[engine];
  if (state === 'refused')
    return { text: `${title} refused its key.`, remedy: 'Enter a new key in Settings → Web search.' };
  return state === 'none' && key === 'always' ? { text: `${title} has no key.`, remedy: enter } : null;
}

const causes: Readonly<Record<WebFetchTrouble, string>> = {
  'webfetch-unverified':
    'couldn’t ask Anthropic whether a domain is safe, and so loaded no page. A network that blocks api.anthropic.com does that.',
  'webfetch-rate-limited': 'asked Anthropic about too many domains from this network, and so loaded no page.',
};

/**
 * Whether Claude Code's WebFetch fails at the question that it asks Anthropic first. The proxy doesn't see that
 * question, but the results of its calls. No request is made.
 * @param skips Claude Code's settings switch that question off
 */
export function webFetchFinding(recent: readonly Exchange[], skips: boolean): Finding {
  if (skips) return passed('Loads pages without asking Anthropic first, as it was set');
  for (const { fits, startedAt } of recent.toReversed()) {
    const trouble = fits.map(({ code }) => code).find(isWebFetchTrouble);
    if (trouble === undefined) continue;
    return {
      verdict: 'warning',
      finding: `It ${causes[trouble]} Last seen ${dayAndTime(startedAt)}.`,
      remedy:
        'Let it load pages without asking: "jumpseat setup claude-code --skip-webfetch-preflight". ' +
        'Or use web_fetch of Jumpseat’s MCP server.',
      remedyFor: 'terminal',
      found: 'webfetch-asks-in-vain',
    };
  }
  return passed('Asks Anthropic about each new domain; no page failed at that');
}

/** The Claude Code that Jumpseat's sessions use. */
export interface SessionProgram {
  found:
    | { available: true; version: string; from: AgentSource }
    | { available: false; reason: string; remedy: string; isChosen: boolean };
  sources: AgentSources | null;
}

const places: Readonly<Record<AgentSource, string>> = {
  own: 'the claude on this machine',
  fetched: 'the copy that Jumpseat fetched',
  file: 'the file that was chosen',
};

/** Nobody is asked. Where sessions were never used, nothing is missing. */
export function sessionProgramFinding({ found, sources }: SessionProgram): Finding {
  if (!found.available) {
    const { reason, remedy, isChosen } = found;
    return isChosen
      ? { verdict: 'warning', finding: reason, remedy }
      : { verdict: 'skipped', finding: `Not set up. ${reason}`, remedy: null };
  }
  const newer = found.from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  const finding = `${found.version}, ${places[found.from]}`;
  if (newer === null) return { verdict: 'passed', finding, remedy: null };
  return {
    verdict: 'passed',
    finding: `${finding}. ${newer.version} can be fetched: “Update” in Settings → Sessions`,
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
  const problems = [...broken.map(({ client, trouble }) => `${client.title}: ${trouble}`), ...others.map(refusal(now))];
  if (problems.length > 0) {
    const commands = broken.map(({ client, use }) => `"${setUpCommand(client, use)}"`);
    const lines = others.map(
      ({ label }) => `"jumpseat env --for ${label === 'claude-code' ? label : `openai --client ${label}`}"`,
    );
    const remedies = [
      ...(commands.length === 0 ? [] : [`Run ${commands.join(', ')}.`]),
      ...(lines.length === 0 ? [] : [`Copy the lines again from Settings → Clients, or with ${lines.join(', ')}.`]),
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
  return whole.length === 0 ? skipped('None is set up') : passed(whole.map(({ title }) => title).join(', '));
}

const refusal =
  (now: number) =>
  ({ label, refusedAt, workedAt }: RefusedClient): string =>
    `${label} worked until ${lastingMoment(workedAt, now)}. Its key was refused at ${lastingMoment(refusedAt, now)}.`;

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
  const period = `Claude Code deletes conversations ${counted(days, 'day')} after their last message.`;
  const soon = changes.filter((at) => at + days * dayMs < now + soonMs);
  if (chosen !== null) return (await isOurs()) ? { ...passed(period), found: 'our-days' } : passed(period);
  if (soon.length === 0) return { ...passed(period), found: 'usual-days' };
  const next = Math.min(...soon) + days * dayMs;
  const first = next <= now ? 'at its next start' : `on ${day(next)}`;
  return typed(
    warning(
      `${period} ${counted(soon.length, 'conversation')} will be deleted within 7 days, the first ${first}.`,
      'To keep them for a year, run "jumpseat setup claude-code --keep-days 365".',
    ),
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
