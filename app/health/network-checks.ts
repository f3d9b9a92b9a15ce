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
  if (asked.kind === 'lost') return skipped(`${asked.error.host} didn’t answer: ${asked.error.message}`);
  const theirs = Date.parse(asked.date ?? '');
  if (Number.isNaN(theirs)) return skipped('GitHub’s answer holds no time.');
  const off = now - theirs;
  if (Math.abs(off) < clockToleranceMs) {
    // The header says whole seconds.
    const seconds = Math.max(2, Math.ceil(Math.abs(off) / 1000));
    return passed(`Within ${seconds} s of GitHub`);
  }
  return warning(
    `Your clock is ${Math.round(Math.abs(off) / 60_000)} min ${off < 0 ? 'behind' : 'ahead'}. Sign-in may fail.`,
    'Set the clock of this machine.',
  );
}

/** The proxy between this machine and GitHub, and how it took a request. */
export function proxyFinding(
  proxy: ProxyReport | null,
  asked: GithubReply,
  script: ScriptReport | null = null,
): Finding {
  if (proxy === null) {
    if (asked.kind === 'lost' && asked.error.isDistrust)
      return distrusted('Something between here and GitHub', asked.error.issuer);
    if (script === null) return skipped('None set');
    if (script.answer === null) return skipped(scriptFirst);
    return skipped(
      /^(?:PROXY|HTTPS?|SOCKS)/i.test(script.answer)
        ? 'None: requests to this machine never use a proxy'
        : 'None: the PAC script says that GitHub is reached directly',
    );
  }
  const { address, from, hasCredentials, problem } = proxy;
  if (problem !== null && from === 'script') return skipped(scriptFirst);
  const source = sources[from];
  if (asked.kind === 'answer') return passed(`${address}, from ${source}`);
  const { host, message, proxyStatus, unsupportedSignIn, isDistrust, issuer } = asked.error;
  if (unsupportedSignIn !== null) {
    return failed(`${address} accepts only ${unsupportedSignIn}, which Jumpseat can’t do.`, helpers[from]);
  }
  if (proxyStatus === 407) {
    const finding = hasCredentials
      ? `${address} refuses the name and the password in HTTPS_PROXY.`
      : `${address} asks for a sign-in.`;
    const remedy = hasCredentials
      ? 'Correct them in HTTPS_PROXY, and start Jumpseat again.'
      : `Set HTTPS_PROXY to http://NAME:PASSWORD@${address}, and start Jumpseat again.`;
    return failed(finding, remedy);
  }
  if (proxyStatus !== null) {
    return failed(
      `${address} doesn’t let requests to ${host} through (${proxyStatus}).`,
      `Ask those who run it to allow ${host}, github.com and githubcopilot.com.`,
    );
  }
  if (isDistrust) return distrusted(address, issuer);
  return failed(`${address} leads to no answer: ${message}.`, checkWhere[from]);
}

const scriptFirst = 'The PAC script has to work first.';

const sources: Record<ProxyReport['from'], string> = {
  environment: 'HTTPS_PROXY',
  system: 'the system’s settings',
  script: 'the PAC script',
};

const checkWhere: Record<ProxyReport['from'], string> = {
  environment: 'Check HTTPS_PROXY.',
  system: 'Check the proxy in the system’s network settings.',
  script: 'Ask those who run the PAC script, or your network.',
};

const helpers: Record<ProxyReport['from'], string> = {
  environment: 'Run a helper that can, such as Px or Cntlm, set HTTPS_PROXY to its address, and start Jumpseat again.',
  system: 'Run a helper that can, such as Px or Cntlm, and set it as the system’s proxy.',
  script: 'Run a helper that can, such as Px or Cntlm, and name it in a PAC script of yours.',
};

/** The script that the person named, and what it says of GitHub. */
export function scriptFinding(script: ScriptReport | null, host: string): Finding {
  if (script === null) return skipped('None set');
  const { address, answer, problem, readAt } = script;
  if (answer === null) {
    return failed(
      `${address} ${problem}. No request is sent until it works.`,
      'Correct Settings → Network → PAC script, or JUMPSEAT_PROXY_SCRIPT.',
    );
  }
  if (problem !== null) {
    const since = readAt === null ? 'before' : `at ${clockTime(readAt)}`;
    return warning(`${address} ${problem}. The copy that was read ${since} is used.`, 'Check again later.');
  }
  return passed(`${address} says for ${host}: ${answer}`);
}

function distrusted(who: string, issuer: string | null): Finding {
  const certificate = issuer === null ? 'The certificate isn’t trusted.' : `Nobody here knows the issuer “${issuer}”.`;
  return failed(
    `${certificate} ${who} may be reading the traffic.`,
    'Add your company’s certificate to the system’s, or name its file in Settings → Network or JUMPSEAT_CA_FILE.',
  );
}

type Sources = readonly CertificateSource[];

/** The files with certificates that a person named. */
export function certificateFilesFinding(sources: Sources): Finding {
  const files = sources.filter(({ file }) => file !== null);
  if (files.length === 0) return skipped(`None named. Node’s own ${countOf(sources, 'node')} are used.`);
  const broken = files.find(({ problem }) => problem !== null);
  if (broken) {
    return failed(
      `${broken.file} ${broken.problem}. It is named in ${setBy[broken.from]}.`,
      'Correct the file or its name. After a change of a variable, start Jumpseat again.',
    );
  }
  const old = files.find(({ expired, count }) => expired.length === count);
  if (old) {
    return warning(
      `All certificates in ${old.file} are no longer valid: ${old.expired.slice(0, 3).join(', ')}.`,
      'Get new ones from those who run your network, and put them into that file.',
    );
  }
  return passed(
    files
      .map(({ count, file, from, expired }) => {
        const some = expired.length === 0 ? '' : `, ${expired.length} no longer valid`;
        return `${count} in ${file} (${setBy[from]}${some})`;
      })
      .join('; '),
  );
}

const setBy: Record<CertificateSource['from'], string> = {
  node: 'Node',
  system: 'the system',
  NODE_EXTRA_CA_CERTS: 'NODE_EXTRA_CA_CERTS',
  setting: 'Settings → Network or JUMPSEAT_CA_FILE',
};

/** The system's store. */
export function systemCertificatesFinding(sources: Sources): Finding {
  const system = sources.find(({ from }) => from === 'system');
  if (system === undefined || system.count === 0)
    return skipped(`The system has none. Node’s own ${countOf(sources, 'node')} are used.`);
  return passed(
    system.isUsed
      ? `${system.count} used, besides Node’s own ${countOf(sources, 'node')}`
      : `${system.count} used when Node’s own ${countOf(sources, 'node')} don’t trust a certificate`,
  );
}

function countOf(sources: Sources, from: CertificateSource['from']): number {
  return sources.find((source) => source.from === from)?.count ?? 0;
}
