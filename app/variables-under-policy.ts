import { otherSettings } from './api/setting-table.ts';
import type { ManagedRule } from './api/settings.ts';
import type { OwnVariables } from './environment.ts';
import { t } from './language/translate.ts';
import { githubAddresses } from './settings/github-addresses.ts';
import { networkNames, networkVariables } from './settings/network-settings.ts';
import { type Policy, underRule } from './settings/policy.ts';

/**
 * The variables without those of settings that the organization decides: it binds who sets variables, too. Each is
 * named in a warning.
 */
export function variablesUnderPolicy(variables: OwnVariables, policy: Policy | null): OwnVariables {
  if (policy === null) return variables;
  const has = (name: string): boolean => Object.hasOwn(policy.rules, name);
  const { rules } = policy;
  const left = {
    ...variables,
    network: { ...variables.network },
    search: { ...variables.search, addresses: { ...variables.search.addresses } },
  };
  const ignored: string[] = [];
  const ignore = (name: string, isSet: boolean): boolean => {
    if (isSet) ignored.push(name);
    return isSet;
  };
  if (has('port') && ignore('JUMPSEAT_PORT', left.port !== null)) left.port = null;
  if (has('secretsStorage') && ignore('JUMPSEAT_SECRETS', left.storage !== null)) left.storage = null;
  if (has('search.engines') && ignore('JUMPSEAT_SEARCH_ENGINES', left.search.engines !== null))
    left.search.engines = null;
  if (has('search.searxngUrl') && ignore('JUMPSEAT_SEARXNG_URL', left.search.addresses.searxng !== undefined))
    delete left.search.addresses.searxng;
  for (const name of networkNames)
    if (has(`network.${name}`) && ignore(networkVariables[name], left.network[name] !== null))
      left.network[name] = null;
  const isTokenOut = has('githubHost') || (rules.admission !== undefined && !allows(rules.admission, 'vscode'));
  if (isTokenOut && ignore('JUMPSEAT_GITHUB_TOKEN', left.githubToken !== null)) left.githubToken = null;
  if (has('githubHost') && left.githubFixedBy !== null) {
    if (left.githubFixedBy !== 'JUMPSEAT_GITHUB_TOKEN') ignore(left.githubFixedBy, true);
    left.github = githubAddresses({});
    left.githubFixedBy = null;
  }
  const warnings = ignored.map((name) => ({
    code: 'variable-managed',
    text: t('{name} isn’t followed: your organization set that in {file}.', { name, file: policy.path }),
    remedy: t('Unset it.'),
  }));
  return { ...left, warnings: [...left.warnings, ...warnings] };
}

function allows(rule: ManagedRule, way: string): boolean {
  return underRule(rule, otherSettings.admission, way) === way;
}
