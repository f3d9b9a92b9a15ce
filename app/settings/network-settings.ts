import { isAbsolute } from 'node:path';
import type { NetworkSettings } from '../ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What variables decide about the way to the network; null: the settings do. */
export type NetworkVariables = { [Name in keyof NetworkSettings]: string | null };

/** Each with its variable. */
export const networkVariables = {
  caFile: 'JUMPSEAT_CA_FILE',
} as const satisfies Record<keyof NetworkVariables, string>;

export const networkNames: readonly (keyof NetworkVariables)[] = ['caFile'];

export function readNetworkVariables(env: Environment): NetworkVariables {
  return { caFile: env[networkVariables.caFile]?.trim() || null };
}

/** What holds: a variable, else the setting. */
export function networkInForce(
  variables: NetworkVariables,
  { network }: { network: NetworkSettings },
): NetworkSettings {
  return { caFile: variables.caFile ?? network.caFile };
}

/** Why it can't be one of these; null: it can. A sentence, and what to enter. */
export function networkProblem(name: keyof NetworkVariables, value: string): { text: string; remedy: string } | null {
  if (name === 'caFile' && !isAbsolute(value))
    return { text: 'The CA file needs its whole path.', remedy: 'Enter one like /etc/ssl/company.pem.' };
  return null;
}
