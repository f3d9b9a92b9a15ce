import type { Exchange } from '../api/exchange.ts';
import { isWebFetchTrouble, type WebFetchTrouble } from '../exchange/features/web-fetch.ts';
import { dayAndTime } from '../words/times.ts';
import { type Finding, passed } from './finding.ts';

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
      mend:
        'Let it load pages without asking: "jumpseat setup claude-code --skip-webfetch-preflight". ' +
        'Or use web_fetch of Jumpseat’s MCP server.',
      mendFor: 'terminal',
      found: 'webfetch-asks-in-vain',
    };
  }
  return passed('Asks Anthropic about each new domain; no page failed at that');
}
