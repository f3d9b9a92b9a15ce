import type { Problem } from '../api/call.ts';
import type { Check } from '../api/state.ts';
import { joined } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { pointsAtOurselves, proxyCircle } from './leading-variables.ts';
import { SetupError, shownPath } from './settings-file.ts';
import { type SetupPlace, shownValue } from './setup/plan.ts';
import { copyLinesAgain, openModeNote, readSetup, setUpAgain, setupFault } from './setup/read-setup.ts';
import { findShellVariables, ownVariables, type ShellVariable } from './shell-variables.ts';
import { type ClaudeVersion, claudeVersion, compareVersions, namedNone } from './version.ts';

/** From this version on, Claude Code marks its requests (class, prompt, subagent) when it is asked to. */
const firstMarkingVersion = '2.1.273';

export interface ClaudeCodeSurroundings {
  place: SetupPlace;
  env: Readonly<Record<string, string | undefined>>;
  /** The lines for Claude Code as they would be written now; null if they are not known (signed out, offline). */
  variables: Readonly<Record<string, string>> | null;
  /** What clients have to show, without a label; null where that isn’t known. */
  key: string | null;
  /** The key works tomorrow. */
  isKeyKept: boolean;
  /** Our own port, running or not. */
  port: number;
  /** Copilot's and GitHub's addresses, none of which may be ours. */
  upstreams: readonly string[];
  home?: string;
  project?: string | null;
  /** For `claude --version`. */
  timeoutMs?: number;
}

/** The checks of the group `claude-code`, in the order in which they are shown. Never throws; costs nothing. */
export async function claudeCodeChecks(surroundings: ClaudeCodeSurroundings): Promise<Check[]> {
  const [settings, shell, version] = await Promise.all([
    settingsCheck(surroundings),
    findShellVariables(
      {
        env: surroundings.env,
        project: surroundings.project ?? null,
        ...(surroundings.home && { home: surroundings.home }),
      },
      surroundings.variables ?? ownVariables(surroundings.port, surroundings.key),
    ),
    claudeVersion(surroundings.env, surroundings.timeoutMs === undefined ? {} : { timeoutMs: surroundings.timeoutMs }),
  ]);
  const setup = settings.found === 'shell' ? 'shell' : settings.verdict === 'passed' ? 'settings' : 'none';
  // The shell's own lines can't be judged where it isn't known what they say now.
  const isUnknown = surroundings.variables === null && setup === 'shell';
  const judged = isUnknown ? shell.filter(({ file, force }) => file !== null || force !== 'harmless') : shell;
  return [settings, shellCheck(judged, setup), versionCheck(version), circleCheck(surroundings)];
}

async function settingsCheck(surroundings: ClaudeCodeSurroundings): Promise<Check> {
  const check = { id: 'claude-code.settings', group: 'claude-code', title: t('Claude Code’s settings') } as const;
  const shown = shownPath(surroundings.place.settings, surroundings.home);
  const setup = { remedy: setUpAgain(surroundings.isKeyKept), remedyFor: 'terminal' } as const;
  try {
    const read = await readSetup(surroundings.place);
    const { isSetUp, ours, changed, openMode, env } = read;
    const fault = setupFault(read, { ...surroundings, shown });
    if (fault !== null) {
      const isByShell = !read.hasAddress && fault.code !== 'no-address';
      const found = isByShell ? ({ found: 'shell' } as const) : ({ remedyFor: 'terminal', found: 'outdated' } as const);
      return { ...check, verdict: 'failed', finding: fault.text, remedy: fault.remedy, ...found };
    }
    const wanted = surroundings.variables;
    const names = wanted ? Object.keys(wanted) : null;
    const others = names ? names.filter((name) => env.get(name)?.value !== wanted?.[name]) : changed;
    const total = names ? names.length : ours + changed.length;
    const set = total - others.length;
    // With those beside the variables, as the setup counts.
    const kept = Math.max(total, ours);
    if (total > 0 && set === total && openMode !== null) {
      return {
        ...check,
        verdict: 'warning',
        finding: t('{count} keys set. {note}', { count: String(kept), note: openModeNote({ openMode, shown }) ?? '' }),
        remedy: t('Run "jumpseat setup claude-code --private", or chmod 600 {file}.', { file: shown }),
        remedyFor: 'terminal',
      };
    }
    if (total > 0 && set === total)
      return {
        ...check,
        verdict: 'passed',
        finding: t('{count} keys set in {file}', { count: String(kept), file: shown }),
        remedy: null,
      };
    if (isSetUp || changed.length > 0) {
      return {
        ...check,
        verdict: 'warning',
        finding: t(
          '{count} of {total} keys {count, plural, one {has another value} other {have other values}}: {values}.',
          {
            count: others.length,
            total,
            values: others.map((name) => otherValue(name, env.get(name)?.value, wanted?.[name])).join('; '),
          },
        ),
        remedy: t('Run "jumpseat setup claude-code --dry-run" to see them, and without --dry-run to set them.'),
        remedyFor: 'terminal',
        found: 'outdated',
      };
    }
    if (pointsAtOurselves(surroundings.env.ANTHROPIC_BASE_URL ?? '', surroundings.port)) {
      const finding = t('Set by the variables of this shell, not by settings.json');
      return { ...check, found: 'shell', verdict: 'passed', finding, remedy: null };
    }
    return { ...check, verdict: 'warning', finding: t('Not set up.'), ...setup, found: 'not-set-up' };
  } catch (error) {
    if (!(error instanceof SetupError))
      return { ...check, verdict: 'failed', finding: t('This check failed.'), ...setup };
    return { ...check, verdict: 'failed', finding: error.message, remedy: error.remedy };
  }
}

/** @param wanted as it would be written now; undefined where that isn't known */
function otherValue(name: string, value: unknown, wanted: string | undefined): string {
  if (value === undefined) return t('{name} is missing', { name });
  const now = shownValue(name, value);
  if (wanted === undefined) return t('{name} is {now}', { name, now });
  const then = shownValue(name, wanted);
  return now === then
    ? t('{name} has another value', { name })
    : t('{name} is {now} instead of {then}', { name, now, then });
}

/** The one of several that is spoken of first. */
export function mostTelling(found: readonly ShellVariable[]): ShellVariable | undefined {
  return found.find(({ force }) => force === 'stronger') ?? found.find(({ force }) => force === 'harmless') ?? found[0];
}

const where = ({ file, line }: ShellVariable): string =>
  file === null ? t('this shell’s environment') : t('{file}, line {line}', { file, line: String(line) });

/** Why Claude Code uses another service or key, whatever its settings.json says. */
export function shellFault(found: readonly ShellVariable[]): Problem | null {
  const first = mostTelling(found);
  if (first?.force !== 'stronger') return null;
  const text = t('{name} is set in {place}, and wins over your settings.json, so Claude Code doesn’t use Jumpseat.', {
    name: first.name,
    place: where(first),
  });
  return { code: 'other-service', text, remedy: t('Remove it there.') };
}

/** @param setup where Claude Code's connection to us comes from */
export function shellCheck(found: readonly ShellVariable[], setup: 'settings' | 'shell' | 'none'): Check {
  const check = { id: 'claude-code.shell', group: 'claude-code', title: t('Shell variables') } as const;
  const first = mostTelling(found);
  if (!first) return { ...check, verdict: 'passed', finding: t('No conflicts'), remedy: null };
  const others = found.filter((one) => one !== first);
  const inLine = found.some(({ file }) => file !== null) ? ({ found: 'line' } as const) : {};
  const named = (some: readonly ShellVariable[]): string =>
    joined(some.map((one) => t('{name} ({place})', { name: one.name, place: where(one) })));
  const more = others.length === 0 ? '' : ` ${t('Also: {variables}.', { variables: named(others) })}`;
  const fault = shellFault(found);
  if (fault !== null)
    return { ...check, ...inLine, verdict: 'failed', finding: `${fault.text}${more}`, remedy: fault.remedy };
  if (first.force === 'remains') {
    return {
      ...check,
      ...inLine,
      verdict: 'warning',
      finding: `${t('{name} is set in {place}, and still applies.', { name: first.name, place: where(first) })}${more}`,
      remedy: t('Remove it there, unless you mean it.'),
    };
  }
  if (setup === 'shell' && first.file === null) {
    const own = found.filter(({ file, force }) => file === null && force === 'harmless');
    const rest = found.filter((one) => !own.includes(one));
    const also = rest.length === 0 ? '' : ` ${t('Also set: {variables}.', { variables: named(rest) })}`;
    const outdated = t('Not what the lines for Claude Code say now: {names}.', {
      names: own.map(({ name }) => name).join(', '),
    });
    return {
      ...check,
      verdict: 'warning',
      finding: `${outdated}${also}`,
      remedy: translated(copyLinesAgain),
      found: 'outdated',
    };
  }
  const harm =
    setup === 'settings'
      ? t('settings.json wins, so this does no harm now.')
      : t('Without the setup it may lead Claude Code past Jumpseat.');
  return {
    ...check,
    ...inLine,
    verdict: 'warning',
    finding: `${t('{name} is also set in {place}.', { name: first.name, place: where(first) })} ${harm}${more}`,
    remedy: t('Remove the line to avoid surprises.'),
  };
}

export function versionCheck(found: ClaudeVersion): Check {
  const check = { id: 'claude-code.version', group: 'claude-code', title: t('Version') } as const;
  switch (found.kind) {
    case 'missing':
      return { ...check, verdict: 'skipped', finding: t('No "claude" on the PATH'), remedy: null };
    case 'silent':
      return {
        ...check,
        verdict: 'warning',
        finding:
          found.reason === namedNone
            ? t('"claude --version" named no version.')
            : t('"claude --version" didn’t answer: {reason}.', { reason: found.reason }),
        remedy: t('Run {path} --version yourself.', { path: found.path }),
      };
    case 'found':
      if (compareVersions(found.version, firstMarkingVersion) >= 0) {
        return {
          ...check,
          verdict: 'passed',
          finding: t('{version}, sends request classes', { version: found.version }),
          remedy: null,
        };
      }
      return {
        ...check,
        verdict: 'warning',
        finding: t('{version} sends no request classes. Jumpseat then judges by the messages.', {
          version: found.version,
        }),
        remedy: t('Run "claude update".'),
      };
  }
}

function circleCheck({ env, port, upstreams }: ClaudeCodeSurroundings): Check {
  const check = { id: 'claude-code.circle', group: 'claude-code', title: t('Not in a circle') } as const;
  const name = proxyCircle(env, port);
  if (name !== null) {
    return {
      ...check,
      verdict: 'failed',
      finding: t('{name} points at Jumpseat itself.', { name }),
      remedy: t('Unset {name}, or set it to the address of your company’s proxy.', { name }),
    };
  }
  if (upstreams.some((address) => pointsAtOurselves(address, port))) {
    return {
      ...check,
      verdict: 'failed',
      finding: t('Copilot’s address is Jumpseat itself. Requests would run in a circle.'),
      remedy: t('Remove JUMPSEAT_GITHUB_URL and JUMPSEAT_GITHUB_API_URL.'),
    };
  }
  return { ...check, verdict: 'passed', finding: t('Copilot’s address isn’t ours'), remedy: null };
}
