type Environment = Readonly<Record<string, string | undefined>>;

/** Where things are, which language is spoken, and which certificates hold. */
const everywhere = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];
/** Without these variables Windows finds neither its own programs nor a person's folders. */
const ofWindows = [
  'Path',
  'PATHEXT',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
  'TEMP',
  'TMP',
];
const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'] as const;
const loopback = ['127.0.0.1', 'localhost', '::1'];

/**
 * The environment of an agent's process and of all that it starts: this and nothing else is handed on, so that neither
 * our own secrets nor the variables of another provider get in.
 */
export function sparseEnvironment(environment: Environment, platform: NodeJS.Platform): Record<string, string> {
  const names = platform === 'win32' ? [...everywhere, ...ofWindows] : everywhere;
  const kept: Record<string, string> = {};
  for (const name of [...names, ...proxies]) {
    const value = environment[name];
    if (value) kept[name] = value;
  }
  const direct = directHosts(environment);
  return { ...kept, NO_PROXY: direct, no_proxy: direct };
}

/** The person's proxies, blank where there is none, so that no settings file can name another. */
export function ownProxies(environment: Environment): Record<string, string> {
  const direct = directHosts(environment);
  const own = Object.fromEntries(proxies.map((name) => [name, environment[name] ?? '']));
  return { ...own, NO_PROXY: direct, no_proxy: direct };
}

/** Our own address is asked without a proxy: it would get the key and the prompts. */
function directHosts(environment: Environment): string {
  const own = (environment.NO_PROXY || environment.no_proxy || '').split(',').map((host) => host.trim());
  return [...new Set([...own.filter((host) => host !== ''), ...loopback])].join(',');
}
