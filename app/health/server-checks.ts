import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { shownPath } from '../claude-code/settings-file.ts';
import { t, translated } from '../language/translate.ts';
import { portHolder } from '../server/port-holder.ts';
import { runningProxy, silentOwner } from '../server/running-proxy.ts';
import { bytes } from '../words/numbers.ts';
import { placesOf, placeWords } from '../words/reach.ts';
import { isServedElsewhere, startProxy } from '../words/status.ts';
import type { CheckDependencies } from './check-run.ts';
import { type Finding, failed, passed, skipped, typed, warning } from './finding.ts';

export async function address({ state, port, ports, policyProblem }: CheckDependencies): Promise<Finding> {
  const { proxy } = state();
  if (proxy.kind === 'on') {
    const isAlone = !placesOf({ proxy }).some((place) => place.kind === 'address' && place.problem === null);
    return passed(
      isAlone ? t('127.0.0.1:{port}, this machine only', { port: String(proxy.port) }) : `127.0.0.1:${proxy.port}`,
    );
  }
  if (policyProblem() !== null)
    return skipped(t('Off: the organization’s policy can’t be used, as the check “Organization” says.'));
  if (proxy.kind === 'failed' && !isServedElsewhere(proxy)) return failed(proxy.reason, proxy.remedy);
  const running = await runningProxy(ports.paths.lock);
  if (running !== null)
    return passed(
      t('{host} is served by Jumpseat (pid {pid})', { host: new URL(running.baseUrl).host, pid: String(running.pid) }),
    );
  const silent = silentOwner(ports.paths.lock);
  if (silent !== null) return typed(failed(silent.text, silent.remedy));
  // Not every system tells who holds a port.
  const holder = portHolder(port);
  if (holder === null)
    return typed(
      failed(
        t('The proxy is off, so nothing listens on 127.0.0.1:{port}.', { port: String(port) }),
        translated(startProxy),
      ),
    );
  return failed(
    t('Port {port} is in use by {program} (pid {pid}), which isn’t this Jumpseat.', {
      port: String(port),
      program: holder.name,
      pid: String(holder.pid),
    }),
    t('Stop that program, or choose another port with --port or JUMPSEAT_PORT.'),
  );
}

/** The socket, and the one address that others can reach. */
export function places({ state }: CheckDependencies): Finding {
  const all = placesOf(state());
  const broken = all.find(({ problem }) => problem !== null)?.problem;
  const open = all.filter(({ problem }) => problem === null).map(placeWords);
  if (broken)
    return warning([broken.text, ...open.map((place) => t('Open: {place}.', { place }))].join(' '), broken.remedy);
  return open.length === 0 ? skipped(t('None open: neither a socket nor another address')) : passed(open.join('; '));
}

export function localKey({ state }: CheckDependencies): Finding {
  const { problem } = state().secrets;
  return problem === null
    ? passed(t('Asked for on every request'))
    : warning(t('The key can’t be stored: {why}', { why: problem.text }), problem.remedy);
}

/** The organization's policy on this machine. */
export function organization({ organizationRules, policyProblem }: CheckDependencies): Finding {
  const problem = policyProblem();
  if (problem !== null) return failed(problem.message, problem.remedy);
  const found = organizationRules();
  if (found === null) return skipped(t('No policy on this machine'));
  const rules = Object.keys(found.rules).join(', ') || t('nothing');
  return passed(
    t('Set by {organization} in {path}: {rules}', {
      organization: found.organization ?? t('your organization'),
      path: found.path,
      rules,
    }),
  );
}

/** What a person wrote there and is not in force is named. */
export function settingsFile({ settingsWarnings, ports }: CheckDependencies): Finding {
  const [first, ...more] = settingsWarnings();
  const { settings } = ports.paths;
  if (first === undefined && !existsSync(settings)) return passed(t('No settings.json: the defaults apply'));
  if (first === undefined) return passed(t('Every value in {file} is in force', { file: shownPath(settings) }));
  const text = [first, ...more].map((one) => one.text).join(' ');
  return first.code === 'settings-unreadable' ? failed(text, first.remedy) : warning(text, first.remedy);
}

/** State of the history's and the sessions' database: not writable, damaged or deleted. Requests still work. */
export async function database({ history, state, ports }: CheckDependencies): Promise<Finding> {
  history.checkFile();
  const texts = new Map<string, string>();
  for (const { code, text, remedy } of state().warnings) {
    if (!/^(history|sessions)-/.test(code)) continue;
    const before = texts.get(remedy);
    texts.set(remedy, before === undefined ? text : `${before} ${text}`);
  }
  const last = [...texts].at(-1);
  if (last !== undefined) {
    // Each is followed by its own remedy.
    const others = [...texts].slice(0, -1).map(([remedy, text]) => `${text} ${remedy}`);
    return warning([...others, last[1]].join(' '), last[0]);
  }
  const count = history.count();
  const size = await stat(ports.paths.history).then(
    (file) => bytes(file.size),
    () => null,
  );
  return passed(
    size === null
      ? t('{count, plural, one {# request} other {# requests}}, writable', { count })
      : t('{count, plural, one {# request} other {# requests}}, {size}, writable', { count, size }),
  );
}
