import type { AgentSource, AgentSources } from '../api/sessions.ts';
import type { Finding } from './finding.ts';

/** Which Claude Code sessions of Jumpseat run with. */
export interface SessionProgram {
  found:
    | { available: true; version: string; from: AgentSource }
    | { available: false; reason: string; mend: string; isChosen: boolean };
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
    const { reason, mend, isChosen } = found;
    return isChosen
      ? { verdict: 'warning', finding: reason, mend }
      : { verdict: 'skipped', finding: `Not set up. ${reason}`, mend: null };
  }
  const newer = found.from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  const finding = `${found.version}, ${places[found.from]}`;
  if (newer === null) return { verdict: 'passed', finding, mend: null };
  return {
    verdict: 'passed',
    finding: `${finding}. ${newer.version} can be fetched: “Update” in Settings → Sessions`,
    mend: null,
  };
}
