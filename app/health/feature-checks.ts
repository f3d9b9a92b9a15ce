import type { Exchange } from '../api/exchange.ts';
import type { EngineName, SearchReport } from '../api/search.ts';
import { isKeyed, searchEngines } from '../api/search-engines.ts';
import type { AgentSource, AgentSources } from '../api/sessions.ts';
import { isWebFetchTrouble, type WebFetchTrouble } from '../exchange/features/web-fetch.ts';
import { engineNames, reachProblem } from '../words/search.ts';
import { dayAndTime } from '../words/times.ts';
import { type Finding, passed, skipped, warning } from './finding.ts';

/* Checks of what is offered beside the proxy: web search, pages of the web, sessions. */

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
