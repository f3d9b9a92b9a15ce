import { basename, dirname } from 'node:path';
import type { PlaceLines } from '../api/setup.ts';
import { asShellWord } from '../api/shell.ts';
import { t } from '../language/translate.ts';

/** What a person copies so that clients in a container, in WSL or on another machine reach this Jumpseat. */

/** Where this Jumpseat can be reached. */
export interface OwnPlaces {
  /** The path of the socket that is open, or would be. */
  socket: string;
  isSocketOn: boolean;
  /** The address of this machine that WSL reaches; null: none is known. */
  wslAddress: string | null;
  platform: NodeJS.Platform;
}

/** Where the socket's folder is in a container. Not the socket alone: a new one has to be seen after a restart. */
const mounted = '/run/jumpseat';

/**
 * `variables`: those for Claude Code. The key among them is never printed: it comes from the shell that starts the
 * container, or goes over SSH into a file.
 */
export function placeLines(place: PlaceLines, variables: Record<string, string>, own: OwnPlaces): string {
  switch (place) {
    case 'docker':
      return dockerLines(variables, own);
    case 'devcontainer':
      return devcontainerLines(variables, own);
    case 'wsl':
      return wslLines(variables, own);
    case 'ssh':
      return sshLines(variables, own);
  }
}

/** What has to be so before these lines work. */
export function placeNotes(place: PlaceLines, own: OwnPlaces): string[] {
  if (place === 'wsl' || isDesktop(place, own)) return [];
  return own.isSocketOn
    ? []
    : [t('The socket is off. Turn it on in Settings → Proxy, or start Jumpseat with "jumpseat serve --socket".')];
}

/** Docker Desktop's machine can't open a socket of this one, but leads `host.docker.internal` to 127.0.0.1 here. */
function isDesktop(place: PlaceLines, { platform }: OwnPlaces): boolean {
  return place !== 'ssh' && platform !== 'linux';
}

const portIn = (variables: Record<string, string>): string => new URL(variables.ANTHROPIC_BASE_URL ?? '').port;

function inContainer(place: PlaceLines, variables: Record<string, string>, own: OwnPlaces): string {
  return isDesktop(place, own) ? `host.docker.internal:${portIn(variables)}` : `${mounted}/${basename(own.socket)}`;
}

function forwardCommand(variables: Record<string, string>): string {
  const port = portIn(variables);
  return port === '4180' ? 'jumpseat forward' : `jumpseat forward --port ${port}`;
}

function dockerLines(variables: Record<string, string>, own: OwnPlaces): string {
  const mount = `type=bind,source=${dirname(own.socket)},target=${mounted}`;
  const options = [
    ...(isDesktop('docker', own) ? [] : [`--mount ${asShellWord(mount, 'bash')}`]),
    `-e JUMPSEAT_SOCKET=${inContainer('docker', variables, own)}`,
    ...Object.keys(variables).map((name) => `-e ${name}`),
  ];
  return lines(
    '# Here: the container gets the key from the variables of this shell. Put your image in the place of IMAGE.',
    'eval "$(jumpseat env --client docker)"',
    `docker run -it --rm ${options.map((option) => `\\\n  ${option} `).join('')}\\\n  IMAGE`,
    '# In the container, where Jumpseat’s command has to be installed:',
    `${forwardCommand(variables)} &`,
    'jumpseat doctor',
    'claude',
  );
}

function devcontainerLines(variables: Record<string, string>, own: OwnPlaces): string {
  const { ANTHROPIC_AUTH_TOKEN: _key, ...plain } = variables;
  const value = {
    ...(isDesktop('devcontainer', own)
      ? {}
      : { mounts: [{ type: 'bind', source: dirname(own.socket), target: mounted }] }),
    containerEnv: { JUMPSEAT_SOCKET: inContainer('devcontainer', variables, own) },
    remoteEnv: { ...plain, ANTHROPIC_AUTH_TOKEN: '$' + '{localEnv:ANTHROPIC_AUTH_TOKEN}' },
    postStartCommand: `nohup ${forwardCommand(variables)} > /tmp/jumpseat-forward.log 2>&1 &`,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function wslLines(variables: Record<string, string>, { wslAddress }: OwnPlaces): string {
  const address = wslAddress ?? 'ADDRESS';
  return lines(
    '# Windows 11: in %UserProfile%\\.wslconfig. After "wsl --shutdown", 127.0.0.1 in WSL is that of Windows.',
    '[wsl2]',
    'networkingMode=mirrored',
    '# Then in WSL:',
    'eval "$(cmd.exe /c jumpseat env --client wsl --shell bash)"',
    'claude',
    `# Otherwise, on Windows${wslAddress === null ? ', with the address of “vEthernet (WSL)” that ipconfig shows' : ''}:`,
    `jumpseat serve --address ${address}`,
    '# and in WSL, behind the line above:',
    `export ANTHROPIC_BASE_URL=http://${address}:${portIn(variables)}`,
    'claude',
  );
}

function sshLines(variables: Record<string, string>, { socket, platform }: OwnPlaces): string {
  const port = portIn(variables);
  const tunnel = `ssh -R 127.0.0.1:${port}:127.0.0.1:${port} HOST`;
  const key =
    'jumpseat env --client ssh --shell bash | ssh HOST "umask 077; mkdir -p ~/.jumpseat; cat > ~/.jumpseat/env"';
  if (platform === 'win32')
    return lines(
      '# Here, with your machine in the place of HOST. Every user of HOST can reach the port: only the key protects it.',
      key,
      tunnel,
      '# There:',
      '. ~/.jumpseat/env',
      'claude',
    );
  return lines(
    '# Here, with your machine in the place of HOST. Only your user can open the socket there.',
    key,
    'there=$(ssh HOST "chmod 700 ~/.jumpseat; rm -f ~/.jumpseat/jumpseat.sock; echo ~/.jumpseat/jumpseat.sock")',
    `ssh -o ExitOnForwardFailure=yes -R "$there":${asShellWord(socket, 'bash')} HOST`,
    '# There, where Jumpseat’s command has to be installed:',
    '. ~/.jumpseat/env',
    'export JUMPSEAT_SOCKET=~/.jumpseat/jumpseat.sock',
    `${forwardCommand(variables)} &`,
    'jumpseat doctor',
    'claude',
    '# Without the command there: every user of HOST can then reach the port, and only the key protects it.',
    `# ${tunnel}`,
  );
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
