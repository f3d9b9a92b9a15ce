import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Problem } from '../api/call.ts';
import { isRow, otherSettings, type SettingRow, type SettingTable, windowSettings } from '../api/setting-table.ts';
import { type ManagedRule, managedRuleSchema } from '../api/settings.ts';
import { isObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import type { Log } from '../ports.ts';
import { FileWatch } from './files.ts';
import { allowedAddress, isGithubHost } from './github-addresses.ts';
import { addressProblem, networkProblem } from './network-settings.ts';

/**
 * What an organization fixes or bounds on its machines: a file of the system above the person's settings.json. Nothing
 * of it is ever written into that file.
 */

/** The rules by the names of settings: `reach`, `limits.creditsPerDay`. */
export interface Policy {
  /** The file. */
  path: string;
  /** As it calls itself; null: it doesn't. */
  organization: string | null;
  rules: Readonly<Record<string, ManagedRule>>;
}

/** The policy can't be used. `message` names the file and the line or field, `remedy` what to do. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly remedy = t('Ask those who manage this machine to correct it. Jumpseat doesn’t serve until then.');
  readonly path: string;
  constructor(path: string, why: string) {
    super(t('The policy {path} can’t be used: {why}.', { path, why }));
    this.path = path;
  }
}

/** Where a policy may be, the first first, and whose it has to be. */
export interface PolicySource {
  paths: readonly string[];
  /** The only user who may own it. Null: this system has no such owner. */
  owner: number | null;
  /** A property list as JSON. */
  convert(path: string): string;
}

/** The places of this system. No variable changes them: they bind who can set variables, too. */
export function systemPolicy(platform: NodeJS.Platform = process.platform, user = process.env.USER): PolicySource {
  const convert = (path: string): string =>
    execFileSync('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', path], { encoding: 'utf8' });
  switch (platform) {
    case 'win32':
      // Not from the variable, which a person can set.
      return { paths: ['C:\\ProgramData\\Jumpseat\\policy.json'], owner: null, convert };
    case 'darwin': {
      const managed = '/Library/Managed Preferences';
      const list = 'app.jumpseat.Jumpseat.plist';
      const ofUser = user && !user.includes('/') ? [join(managed, user, list)] : [];
      return {
        paths: [...ofUser, join(managed, list), '/Library/Application Support/Jumpseat/policy.json'],
        owner: 0,
        convert,
      };
    }
    default:
      return { paths: ['/etc/jumpseat/policy.json'], owner: 0, convert };
  }
}

export const noPolicy: PolicySource = { paths: [], owner: null, convert: () => '' };

/** Null if there is none. Throws `PolicyError`. */
export function readPolicy(source: PolicySource): Policy | null {
  const path = source.paths.find((one) => existsSync(one) || lstatSync(one, { throwIfNoEntry: false }) !== undefined);
  if (path === undefined) return null;
  refuseOthers(path, source.owner);
  return parsePolicy(path, textOf(path, source));
}

/** What others could write says nothing of an organization. */
function refuseOthers(path: string, owner: number | null): void {
  if (owner === null) return;
  for (const one of [path, dirname(path)]) {
    const stats = statSync(one, { throwIfNoEntry: false });
    if (stats === undefined) throw new PolicyError(path, t('it is a link to a file that isn’t there'));
    if (stats.uid !== owner)
      throw new PolicyError(
        path,
        t('{path} belongs to uid {uid}, and not to the administrator', { path: one, uid: stats.uid }),
      );
    if ((stats.mode & 0o022) !== 0)
      throw new PolicyError(path, t('others than the administrator can write {path}', { path: one }));
  }
}

function textOf(path: string, { convert }: PolicySource): string {
  try {
    return path.endsWith('.plist') ? convert(path) : readFileSync(path, 'utf8');
  } catch (error) {
    throw new PolicyError(
      path,
      t('it can’t be read ({code})', {
        code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown',
      }),
    );
  }
}

const policySchema = z.strictObject({
  version: z.literal(1),
  organization: z.string().min(1).max(100).nullable().default(null),
  settings: z.record(z.string(), z.unknown()),
});

/** The rows that a rule can be about. What a person never sets is none of them. */
export const policyRows: ReadonlyMap<string, SettingRow> = new Map(
  Object.entries<SettingTable[string]>({ ...windowSettings, ...otherSettings }).flatMap(([name, entry]) =>
    isRow(entry)
      ? [[name, entry] as const]
      : Object.entries(entry).map(([key, row]) => [`${name}.${key}`, row] as const),
  ),
);

/** Throws `PolicyError`. */
export function parsePolicy(path: string, text: string): Policy {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const [, line] = /\(line (\d+) /.exec(error instanceof Error ? error.message : '') ?? [];
    throw new PolicyError(
      path,
      line === undefined ? t('it isn’t valid JSON') : t('it isn’t valid JSON (line {line})', { line }),
    );
  }
  const read = policySchema.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    const where = issue?.path.join('.') || t('its keys');
    throw new PolicyError(
      path,
      issue?.code === 'unrecognized_keys'
        ? t('look at {where}, which holds {keys}', { where, keys: issue.keys.join(', ') })
        : t('look at {where}', { where }),
    );
  }
  const { organization, settings } = read.data;
  const rules = Object.entries(settings).map(([name, rule]) => {
    const row = policyRows.get(name);
    if (row === undefined)
      throw new PolicyError(path, t('{field} is no setting of this version', { field: `settings.${name}` }));
    return [name, readRule(path, name, row, rule)] as const;
  });
  return { path, organization, rules: Object.fromEntries(rules) };
}

function readRule(path: string, name: string, row: SettingRow, given: unknown): ManagedRule {
  const field = (part: string): string => `settings.${name}${part === '' ? '' : `.${part}`}`;
  const read = managedRuleSchema.safeParse(given);
  if (!read.success || !isObject(given))
    throw new PolicyError(
      path,
      t('{field} has to hold either "value", or "min" and "max", or "allowed"', { field: field('') }),
    );
  const rule = read.data;
  if ('value' in rule) {
    refuseValue(path, field('value'), name, row, rule.value);
    return rule;
  }
  if ('allowed' in rule) {
    const isList = listOf(row) !== null;
    for (const [at, one] of rule.allowed.entries())
      refuseValue(path, field(`allowed.${at}`), name, row, isList ? [one] : one);
    return rule;
  }
  const number = numberOf(row);
  if (number === null)
    throw new PolicyError(path, t('{field} is no number, so that it has no "min" and "max"', { field: field('') }));
  const { min, max } = rule;
  if (min !== undefined && max !== undefined && min > max)
    throw new PolicyError(path, t('{field} is above {other}', { field: field('min'), other: field('max') }));
  for (const [part, bound] of Object.entries(rule)) refuseValue(path, field(part), name, row, bound);
  return rule;
}

function refuseValue(path: string, field: string, name: string, row: SettingRow, value: unknown): void {
  if (!row.shape.safeParse(value).success || !isUsable(name, value))
    throw new PolicyError(path, t('{field} is no value that {name} can have', { field, name }));
}

/** Where a text has to be more than its shape says. */
function isUsable(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return true;
  switch (name) {
    case 'githubHost':
      return isGithubHost(value);
    case 'otlp.endpoint':
    case 'search.searxngUrl':
      return allowedAddress(value) !== null;
    case 'network.proxyScript':
      return networkProblem('proxyScript', value) === null;
    case 'network.caFile':
      return networkProblem('caFile', value) === null;
    case 'proxy.address':
      return addressProblem(value) === null;
    default:
      return true;
  }
}

/** The shape without null and undefined. */
const bare = (shape: unknown): unknown =>
  shape instanceof z.ZodNullable || shape instanceof z.ZodOptional ? bare(shape.unwrap()) : shape;
const numberOf = ({ shape }: SettingRow): z.ZodNumber | null => {
  const found = bare(shape);
  return found instanceof z.ZodNumber ? found : null;
};
const listOf = ({ shape }: SettingRow): z.ZodArray | null => {
  const found = bare(shape);
  return found instanceof z.ZodArray ? found : null;
};

/**
 * The value that holds in place of a person's. Null means "no limit" where there is one: it is above each maximum.
 */
export function underRule(rule: ManagedRule, row: SettingRow, value: unknown): unknown {
  if ('value' in rule) return rule.value;
  if ('allowed' in rule) {
    const isAllowed = (one: unknown): boolean => rule.allowed.some((each) => each === one);
    if (Array.isArray(value)) return value.filter(isAllowed);
    if (isAllowed(value)) return value;
    return isAllowed(row.default) ? row.default : rule.allowed[0];
  }
  if (typeof value === 'number') return Math.min(Math.max(value, rule.min ?? value), rule.max ?? value);
  return value === null && rule.max !== undefined ? rule.max : value;
}

/**
 * Who decides a setting: `your organization (Octo Inc.)`, with the policy's file where it has no name there; the
 * person's own file where no rule is for it.
 */
export function decidesSetting(policy: Policy | null, name: string): string {
  if (policy?.rules[name] === undefined) return `settings.json (${name})`;
  return t('your organization ({name})', { name: policy.organization ?? policy.path });
}

/** Which models requests may use, and who says so. */
export function allowedModels(settings: {
  current(): { allowedModels: readonly string[] | null };
  readonly policy: Policy | null;
  readonly policyProblem: PolicyError | null;
}): { allows: (id: string) => boolean; by: () => string; settings: typeof settings } {
  return {
    allows: (id) => settings.current().allowedModels?.includes(id) ?? true,
    by: () => decidesSetting(settings.policy, 'allowedModels'),
    settings,
  };
}

/** The settings that hold: those of the person, as far as the policy lets them. */
export function underPolicy<Values extends Readonly<Record<string, unknown>>>(
  policy: Policy | null,
  values: Values,
): Values {
  if (policy === null) return values;
  const changed: Record<string, unknown> = { ...values };
  for (const [name, rule] of Object.entries(policy.rules)) {
    const row = policyRows.get(name);
    const [key = name, part] = name.split('.');
    if (row === undefined) continue;
    if (part === undefined) changed[key] = underRule(rule, row, values[key]);
    else {
      const group = Object(changed[key]);
      changed[key] = { ...group, [part]: underRule(rule, row, Reflect.get(group, part)) };
    }
  }
  const way = policy.rules.admission;
  if (way !== undefined && Array.isArray(changed.accounts))
    changed.accounts = changed.accounts.map(withAllowedWay(way));
  return changed as Values;
}

/** A further account has its way in with its sign-in. One that isn't allowed counts as signed out. */
function withAllowedWay(rule: ManagedRule): (account: unknown) => unknown {
  return (account) => {
    const credential = Reflect.get(Object(Reflect.get(Object(account), 'signIn')), 'credential');
    if (typeof credential !== 'string') return account;
    const way = credential === 'vscode' ? 'vscode' : 'copilot-sdk';
    return underRule(rule, otherSettings.admission, way) === way ? account : { ...Object(account), signIn: null };
  };
}

const settleMs = 50;

/** The organization's policy as it is now. While a changed one can't be used the rules before it hold. */
export class PolicyWatch {
  readonly #source: PolicySource;
  readonly #log: Log;
  readonly #files: FileWatch[];
  /** Watches of the policy files’ folders, through the folder above each, since a folder may be created later. */
  readonly #folders: readonly FileWatch[];
  /** Null: there is none. Fields and no getters, since each request asks for warnings. */
  policy: Policy | null = null;
  /** Why it can't be used. */
  problem: PolicyError | null = null;

  /** @param changed the policy is another one, or can't be used any more, or can again */
  constructor(source: PolicySource, log: Log, changed: () => void) {
    this.#source = source;
    this.#log = log;
    this.#read();
    const look = (): void => {
      this.#read();
      changed();
    };
    const watchFile = (path: string): FileWatch => new FileWatch(path, look, { settleMs, log });
    this.#files = source.paths.map(watchFile);
    this.#folders = source.paths.map((path, at) => {
      const folderChanged = (): void => {
        // Another folder may have this name now: what is watched is the folder and not its name.
        this.#files[at]?.close();
        this.#files[at] = watchFile(path);
        look();
      };
      return new FileWatch(dirname(path), folderChanged, { settleMs, log });
    });
  }

  close(): void {
    for (const watch of [...this.#folders, ...this.#files]) watch.close();
  }

  #read(): void {
    try {
      this.policy = readPolicy(this.#source);
      this.problem = null;
    } catch (error) {
      if (!(error instanceof PolicyError)) throw error;
      this.problem = error;
      this.#log.write('error', 'policy.not-usable', { text: error.message });
    }
  }
}

/** Said wherever warnings are: nothing is served. */
export function policyWarning({ message: text, remedy }: PolicyError): Problem {
  return { code: 'policy', text, remedy };
}
