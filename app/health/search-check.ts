import type { EngineName, SearchReport } from '../api/search.ts';
import { isKeyed, searchEngines } from '../api/search-engines.ts';
import { engineNames, reachProblem } from '../words/search.ts';
import { type Finding, passed, skipped, warning } from './finding.ts';

/** Whether an engine could search the web for clients. None is asked: a search may cost. */
export function searchFinding(report: SearchReport): Finding {
  const { engines } = report;
  if (engines.length === 0) return skipped('Off: nobody searches the web for clients');
  const problems = engines.flatMap((engine) => problemWith(engine, report) ?? []);
  const [first] = problems;
  const names = engines.map((engine) => engineNames[engine]).join(', then ');
  if (first === undefined) return passed(names);
  return warning(problems.map(({ text }) => text).join(' '), first.mend);
}

const enter = 'Enter one in Settings → Web search.';

function problemWith(
  engine: EngineName,
  { keys, searxng, models, reach }: SearchReport,
): { text: string; mend: string } | null {
  const name = engineNames[engine];
  const unreachable = reachProblem(engine, reach);
  if (unreachable !== null) return unreachable;
  switch (engine) {
    case 'copilot':
      return models === null || models.length > 0
        ? null
        : { text: `${name} has no model that can search.`, mend: 'Enable a GPT model at github.com/settings/copilot.' };
    case 'searxng':
      if (searxng === 'usable') return null;
      return searxng === 'none'
        ? { text: `${name} has no address.`, mend: enter }
        : { text: `The address of ${name} is neither https nor http on this machine, and isn’t used.`, mend: enter };
    default:
      return keyProblem(engine, keys);
  }
}

function keyProblem(engine: EngineName, keys: SearchReport['keys']): { text: string; mend: string } | null {
  if (!isKeyed(engine)) return null;
  const { title, key } = searchEngines[engine];
  const state = keys[engine];
  if (state === 'refused')
    return { text: `${title} refused its key.`, mend: 'Enter another one in Settings → Web search.' };
  return state === 'none' && key === 'always' ? { text: `${title} has no key.`, mend: enter } : null;
}
