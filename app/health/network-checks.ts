import { type Message, msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import {
  type CertificateSource,
  type Dialed,
  NetworkError,
  type Ports,
  type ProxyReport,
  type ScriptReport,
} from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { clockTime } from '../words/times.ts';
import { type Finding, failed, passed, skipped, warning } from './finding.ts';

/** What a question to GitHub that needs no sign-in says about this machine's clock and the way out of it. */

export type GithubReply = { kind: 'answer'; date: string | undefined } | { kind: 'lost'; error: NetworkError };

const headTimeoutMs = 5000;

/** Asks GitHub's API for nothing but its head. Rejects with what is no matter of the network. */
export async function askGithub({ dialer }: Pick<Ports, 'dialer'>, { api }: GithubAddresses): Promise<GithubReply> {
  let dialed: Dialed;
  try {
    dialed = await dialer.dial({ url: api, method: 'HEAD', headers: { 'User-Agent': 'jumpseat' }, headTimeoutMs });
  } catch (error) {
    if (error instanceof NetworkError) return { kind: 'lost', error };
    throw error;
  }
  dialed.response.resume();
  return { kind: 'answer', date: dialed.response.headers.date };
}

const clockToleranceMs = 60_000;

/** GitHub's Date header against our clock: a clock that is far off breaks certificates. */
export function clockFinding(asked: GithubReply, now: number): Finding {
  if (asked.kind === 'lost')
    return skipped(t('{host} didn’t answer: {why}', { host: asked.error.host, why: asked.error.message }));
  const theirs = Date.parse(asked.date ?? '');
  if (Number.isNaN(theirs)) return skipped(t('GitHub’s answer holds no time.'));
  const off = now - theirs;
  if (Math.abs(off) < clockToleranceMs) {
    // The header says whole seconds.
    const seconds = Math.max(2, Math.ceil(Math.abs(off) / 1000));
    return passed(t('Within {seconds} s of GitHub', { seconds: String(seconds) }));
  }
  const minutes = String(Math.round(Math.abs(off) / 60_000));
  return warning(
    off < 0
      ? t('Your clock is {minutes} min behind. Sign-in may fail.', { minutes })
      : t('Your clock is {minutes} min ahead. Sign-in may fail.', { minutes }),
    t('Set the clock of this machine.'),
  );
}

/** The proxy between this machine and GitHub, and how it took a request. */
export function proxyFinding(
  proxy: ProxyReport | null,
  asked: GithubReply,
  script: ScriptReport | null = null,
): Finding {
  if (proxy === null) {
    if (asked.kind === 'lost' && asked.error.isDistrust) return distrusted(null, asked.error.issuer);
    if (script === null) return skipped(t('None set'));
    if (script.answer === null) return skipped(translated(scriptFirst));
    return skipped(
      /^(?:PROXY|HTTPS?|SOCKS)/i.test(script.answer)
        ? t('None: requests to this machine never use a proxy')
        : t('None: the PAC script says that GitHub is reached directly'),
    );
  }
  const { address, from, hasCredentials, problem } = proxy;
  if (problem !== null && from === 'script') return skipped(translated(scriptFirst));
  if (asked.kind === 'answer')
    return passed(t('{address}, from {source}', { address, source: translated(sources[from]) }));
  const { host, message, proxyStatus, unsupportedSignIn, isDistrust, issuer } = asked.error;
  if (unsupportedSignIn !== null) {
    return failed(
      t('{address} accepts only {method}, which Jumpseat can’t do.', { address, method: unsupportedSignIn }),
      translated(helpers[from]),
    );
  }
  if (proxyStatus === 407) {
    const finding = hasCredentials
      ? t('{address} refuses the name and the password in HTTPS_PROXY.', { address })
      : t('{address} asks for a sign-in.', { address });
    const remedy = hasCredentials
      ? t('Correct them in HTTPS_PROXY, and start Jumpseat again.')
      : t('Set HTTPS_PROXY to http://NAME:PASSWORD@{address}, and start Jumpseat again.', { address });
    return failed(finding, remedy);
  }
  if (proxyStatus !== null) {
    return failed(
      t('{address} doesn’t let requests to {host} through ({status}).', {
        address,
        host,
        status: String(proxyStatus),
      }),
      t('Ask those who run it to allow {host}, github.com and githubcopilot.com.', { host }),
    );
  }
  if (isDistrust) return distrusted(address, issuer);
  return failed(t('{address} leads to no answer: {why}.', { address, why: message }), translated(checkWhere[from]));
}

const scriptFirst = msg('The PAC script has to work first.');

const sources: Record<ProxyReport['from'], Message> = {
  environment: msg('HTTPS_PROXY'),
  system: msg('the system’s settings'),
  script: msg('the PAC script'),
};

const checkWhere: Record<ProxyReport['from'], Message> = {
  environment: msg('Check HTTPS_PROXY.'),
  system: msg('Check the proxy in the system’s network settings.'),
  script: msg('Ask those who run the PAC script, or your network.'),
};

const helpers: Record<ProxyReport['from'], Message> = {
  environment: msg(
    'Run a helper that can, such as Px or Cntlm, set HTTPS_PROXY to its address, and start Jumpseat again.',
  ),
  system: msg('Run a helper that can, such as Px or Cntlm, and set it as the system’s proxy.'),
  script: msg('Run a helper that can, such as Px or Cntlm, and name it in a PAC script of yours.'),
};

/** The script that the person named, and what it says of GitHub. */
export function scriptFinding(script: ScriptReport | null, host: string): Finding {
  if (script === null) return skipped(t('None set'));
  const { address, answer, problem, readAt } = script;
  if (answer === null) {
    return failed(
      t('{address} {problem}. No request is sent until it works.', { address, problem: problem ?? '' }),
      t('Correct Settings → Network → PAC script, or JUMPSEAT_PROXY_SCRIPT.'),
    );
  }
  if (problem !== null) {
    return warning(
      readAt === null
        ? t('{address} {problem}. The copy that was read before is used.', { address, problem })
        : t('{address} {problem}. The copy that was read at {time} is used.', {
            address,
            problem,
            time: clockTime(readAt),
          }),
      t('Check again later.'),
    );
  }
  return passed(t('{address} says for {host}: {answer}', { address, host, answer }));
}

/** @param proxy null: it isn't known who is in between */
function distrusted(proxy: string | null, issuer: string | null): Finding {
  const certificate =
    issuer === null ? t('The certificate isn’t trusted.') : t('Nobody here knows the issuer “{issuer}”.', { issuer });
  const reader =
    proxy === null
      ? t('Something between here and GitHub may be reading the traffic.')
      : t('{proxy} may be reading the traffic.', { proxy });
  return failed(
    `${certificate} ${reader}`,
    t('Add your company’s certificate to the system’s, or name its file in Settings → Network or JUMPSEAT_CA_FILE.'),
  );
}

type Sources = readonly CertificateSource[];

/** The files with certificates that a person named. */
export function certificateFilesFinding(sources: Sources): Finding {
  const files = sources.filter(({ file }) => file !== null);
  if (files.length === 0)
    return skipped(t('None named. Node’s own {count} are used.', { count: String(countOf(sources, 'node')) }));
  const broken = files.find(({ problem }) => problem !== null);
  if (broken) {
    return failed(
      t('{file} {problem}. It is named in {place}.', {
        file: broken.file ?? '',
        problem: broken.problem ?? '',
        place: translated(setBy[broken.from]),
      }),
      t('Correct the file or its name. After a change of a variable, start Jumpseat again.'),
    );
  }
  const old = files.find(({ expired, count }) => expired.length === count);
  if (old) {
    return warning(
      t('All certificates in {file} are no longer valid: {names}.', {
        file: old.file ?? '',
        names: old.expired.slice(0, 3).join(', '),
      }),
      t('Get new ones from those who run your network, and put them into that file.'),
    );
  }
  return passed(
    files
      .map(({ count, file, from, expired }) => {
        const [all, path, place] = [String(count), file ?? '', translated(setBy[from])];
        return expired.length === 0
          ? t('{count} in {file} ({place})', { count: all, file: path, place })
          : t('{count} in {file} ({place}, {expired} no longer valid)', {
              count: all,
              file: path,
              place,
              expired: String(expired.length),
            });
      })
      .join('; '),
  );
}

const setBy: Record<CertificateSource['from'], Message> = {
  node: msg('Node'),
  system: msg('the system'),
  NODE_EXTRA_CA_CERTS: msg('NODE_EXTRA_CA_CERTS'),
  setting: msg('Settings → Network or JUMPSEAT_CA_FILE'),
};

/** The system's store. */
export function systemCertificatesFinding(sources: Sources): Finding {
  const system = sources.find(({ from }) => from === 'system');
  if (system === undefined || system.count === 0)
    return skipped(t('The system has none. Node’s own {count} are used.', { count: String(countOf(sources, 'node')) }));
  const count = String(system.count);
  const own = String(countOf(sources, 'node'));
  return passed(
    system.isUsed
      ? t('{count} used, besides Node’s own {own}', { count, own })
      : t('{count} used when Node’s own {own} don’t trust a certificate', { count, own }),
  );
}

function countOf(sources: Sources, from: CertificateSource['from']): number {
  return sources.find((source) => source.from === from)?.count ?? 0;
}
