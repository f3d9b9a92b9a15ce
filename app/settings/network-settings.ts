import { BlockList, isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { t } from '../language/translate.ts';
import type { NetworkSettings } from '../ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What variables decide about the way to the network; null: the settings do. */
export type NetworkVariables = { [Name in keyof NetworkSettings]: string | null };

/** Each with its variable. */
export const networkVariables = {
  proxyScript: 'JUMPSEAT_PROXY_SCRIPT',
  caFile: 'JUMPSEAT_CA_FILE',
} as const satisfies Record<keyof NetworkVariables, string>;

export const networkNames: readonly (keyof NetworkVariables)[] = ['proxyScript', 'caFile'];

export function readNetworkVariables(env: Environment): NetworkVariables {
  const read = (name: keyof NetworkVariables): string | null => env[networkVariables[name]]?.trim() || null;
  return { proxyScript: read('proxyScript'), caFile: read('caFile') };
}

/** What holds: a variable, else the setting. */
export function networkInForce(
  variables: NetworkVariables,
  { network }: { network: NetworkSettings },
): NetworkSettings {
  return {
    proxyScript: variables.proxyScript ?? network.proxyScript,
    caFile: variables.caFile ?? network.caFile,
  };
}

/** Why it can't be one of these; null: it can. A sentence, and what to enter. */
export function networkProblem(name: keyof NetworkVariables, value: string): { text: string; remedy: string } | null {
  if (name === 'caFile') {
    if (isAbsolute(value)) return null;
    return { text: t('The CA file needs its whole path.'), remedy: t('Enter one like /etc/ssl/company.pem.') };
  }
  if (isAbsolute(value)) return null;
  const url = URL.parse(value);
  const isKnown = url !== null && ['http:', 'https:', 'file:'].includes(url.protocol);
  if (isKnown && url.username === '' && url.password === '') return null;
  return {
    text: t('The PAC script needs an address of http or https without a password, or a whole path.'),
    remedy: t('Enter one like http://wpad.octo.example/proxy.pac.'),
  };
}

/** Why an address can't be one more that the proxy listens on. Null: it can, if this machine has it. */
export function addressProblem(address: string): { text: string; remedy: string } | null {
  const version = isIP(address);
  if (version === 0)
    return {
      text: t('“{address}” is no IP address.', { address }),
      remedy: t('Enter one address of this machine, such as 172.17.0.1.'),
    };
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (everywhere.check(address, family))
    return {
      text: t('{address} means every network of this machine, so anybody in them could reach Jumpseat.', { address }),
      remedy: t('Enter the one address that the container or WSL reaches, such as 172.17.0.1.'),
    };
  if (loopback.check(address, family))
    return {
      text: t('{address} is this machine only, where Jumpseat listens already.', { address }),
      remedy: t('Leave it empty.'),
    };
  if (ofNobody.check(address, family) || address.includes('%'))
    return {
      text: t('Jumpseat can’t listen on {address}: it isn’t the address of one machine.', { address }),
      remedy: t('Enter one address of this machine, such as 172.17.0.1.'),
    };
  return null;
}

/** Addresses of IPv4 that are written as IPv6 are found, too. */
function listOf(...networks: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const network of networks) list.addSubnet(...network);
  return list;
}

const everywhere = listOf(['0.0.0.0', 8, 'ipv4'], ['::', 128, 'ipv6']);
const loopback = listOf(['127.0.0.0', 8, 'ipv4'], ['::1', 128, 'ipv6']);
/** Multicast, broadcast, and addresses of IPv6 that need a zone. */
const ofNobody = listOf(
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['ff00::', 8, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
);
