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
