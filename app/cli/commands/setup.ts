import { memorySecrets } from '../../adapters/memory-secrets.ts';
import { nodePaths } from '../../adapters/paths.ts';
import { mostKeepDays, type SetupPlan } from '../../api/setup.ts';
import { KeyNotKeptError } from '../../claude-code/setup/plan-setup.ts';
import { startsOurs } from '../../claude-code/setup/status-line.ts';
import { readRecord } from '../../claude-code/setup-record.ts';
import { runningProxy, silentOwner } from '../../server/running-proxy.ts';
import { counted, grouped } from '../../words/numbers.ts';
import {
  backupIsSaved,
  changedValues,
  fileGoes,
  keyUndone,
  leftKeys,
  noteOf,
  notesOf,
  setupDone,
  skipWebFetchPreflightWords,
  undoDone,
  windowsMeaning,
  writtenKey,
} from '../../words/setup.ts';
import { CommandFailure, storageRemedy, wrongUsage } from '../failure.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';
import { oneLine } from './env.ts';

export interface SetupOptions {
  dryRun?: boolean;
  undo?: boolean;
  /** How a program uses Jumpseat: models, agent or mcp. */
  as?: string;
  /** Show ours in Claude Code's status line as well. */
  statusline?: boolean;
  /** Days that Claude Code keeps its conversations. */
  keepDays?: string | true;
  /** Let WebFetch load pages without asking Anthropic first. */
  skipWebfetchPreflight?: boolean;
  /** Close settings.json for others. */
  private?: boolean;
}

/**
 * `jumpseat setup claude-code`: shows what changes, then changes it; asks in between where the terminal takes answers.
 */
export async function setup(surroundings: Surroundings, options: SetupOptions): Promise<number> {
  const { terminal } = surroundings;
  if (options.as !== undefined) throw wrongUsage('--as means nothing with claude-code.');
  if (options.undo) {
    // To take out what is recorded no secret is needed: a store that can't be opened is no obstacle.
    const { files } = await readRecord(nodePaths(surroundings.env).home);
    const secrets = Object.keys(files).length > 0 ? { secrets: memorySecrets() } : {};
    return withApp(surroundings, secrets, (opened) => undo(terminal, opened, options));
  }
  return withApp(surroundings, {}, (opened) => setupClaudeCode(surroundings, opened, options));
}

async function setupClaudeCode(
  { terminal, env }: Surroundings,
  opened: Opened,
  options: SetupOptions,
): Promise<number> {
  const { app, ports } = opened;
  const choices = {
    skipWebFetchPreflight: await skipsPreflight(terminal, app, options),
    ...(options.statusline === true && { statusLine: true }),
    ...(options.keepDays !== undefined && { keepDays: days(options.keepDays) }),
    closed: options.private === true,
  };
  const plan = await app.planSetup('setup', choices).catch(async (error: unknown) => {
    if (!(error instanceof KeyNotKeptError)) throw error;
    const { secrets } = app.state();
    if (secrets.problem === null)
      throw new CommandFailure(error.message, 'Set JUMPSEAT_KEY, or store secrets elsewhere than in memory.');
    const isRunning = (await runningProxy(ports.paths.lock)) !== null;
    const now = isRunning ? ` For one terminal, until Jumpseat quits: ${oneLine(env)}` : '';
    throw new CommandFailure(error.message, `${storageRemedy(secrets)}${now}`);
  });
  if (!plan.changesFile) {
    terminal.out(`Claude Code is set up already: ${counted(plan.changes.length, 'key')} set in ${plan.shown}.`);
    const closed = options.dryRun ? false : await closes(terminal, plan, options);
    if (!options.dryRun) await app.applySetup(idOf(plan, closed));
    sayMode(terminal, plan, closed, options);
    return 0;
  }
  const verb = plan.createsFile ? 'Create' : 'Change';
  show(terminal, plan, `${options.dryRun ? `Would ${verb.toLowerCase()}` : verb} ${plan.shown}:`);
  const saved = options.dryRun ? null : backupIsSaved(plan);
  if (saved !== null) terminal.out(saved);
  for (const note of notesOf(plan, 'models')) terminal.out(note);
  if (options.dryRun) {
    sayMode(terminal, plan, false, options);
    terminal.out('Nothing was written.');
    return 0;
  }
  if (!(await agreed(terminal, 'Add to settings? [Y/n] '))) return declined(terminal);
  const closed = await closes(terminal, plan, options);
  const { backup } = await app.applySetup(idOf(plan, closed));
  terminal.out(terminal.style('green', setupDone));
  if (backup !== null) terminal.out(`Backup: ${backup}`);
  sayMode(terminal, plan, closed, options);
  terminal.out('Undo it at any time with "jumpseat setup claude-code --undo".');
  const shell = noteOf(plan, 'shell');
  if (shell !== null) terminal.err(shell);
  if ((await runningProxy(ports.paths.lock)) === null) {
    const silent = silentOwner(ports.paths.lock);
    terminal.out(silent === null ? 'Next: run "jumpseat serve".' : `${silent.text} ${silent.remedy}`);
  }
  return 0;
}

function days(text: string | true): number {
  const value = text !== true && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= mostKeepDays) return value;
  throw wrongUsage(
    `${text === true ? 'Nothing' : `"${text}"`} is no number of days from 1 to ${grouped(mostKeepDays)}.`,
    'For a year: "jumpseat setup claude-code --keep-days 365".',
  );
}

/** Tells or asks about the way around WebFetch's check only if the check failed. */
async function skipsPreflight(terminal: Terminal, app: Opened['app'], options: SetupOptions): Promise<boolean> {
  const { choice, meaning } = skipWebFetchPreflightWords;
  if (options.skipWebfetchPreflight === true) {
    terminal.out(meaning);
    return true;
  }
  const check = await app.check('claude-code.webfetch');
  if (check?.found !== 'webfetch-asks-in-vain') return false;
  terminal.out(`WebFetch: ${check.finding} ${meaning}`);
  if (options.dryRun || !terminal.canAsk) {
    terminal.out('To set it: "jumpseat setup claude-code --skip-webfetch-preflight".');
    return false;
  }
  const answer = (await terminal.ask(`${choice}? [y/N] `))?.trim().toLowerCase();
  return answer === 'y' || answer === 'yes';
}

function idOf(plan: SetupPlan, closed: boolean): string {
  return closed && plan.privateId !== null ? plan.privateId : plan.id;
}

/**
 * Whether the person wants a file that others can read to be closed for them. Asked only where the terminal takes
 * answers.
 */
async function closes(terminal: Terminal, plan: SetupPlan, options: SetupOptions): Promise<boolean> {
  if (options.private === true) return true;
  const note = noteOf(plan, 'open');
  if (note === null || !terminal.canAsk) return false;
  terminal.out(note);
  return agreed(terminal, 'Make it readable only for you (mode 0600)? [Y/n] ');
}

/** Says nothing to a person who was asked. */
function sayMode(terminal: Terminal, plan: SetupPlan, closed: boolean, options: SetupOptions): void {
  const { dryRun = false } = options;
  if (closed) terminal.out(`${plan.shown} is now readable only for you (mode 0600).`);
  else if (options.private === true) terminal.out(`Would make ${plan.shown} readable only for you (mode 0600).`);
  const note = noteOf(plan, 'open');
  if (note === null || closed || options.private === true) return;
  if (dryRun || !terminal.canAsk)
    terminal.err(`${note} "jumpseat setup claude-code --private" makes it readable only for you.`);
}

async function undo(terminal: Terminal, { app, ports }: Opened, options: SetupOptions): Promise<number> {
  const { keepDays, statusline, skipWebfetchPreflight } = options;
  const plan = await app.planSetup('undo', {
    ...(keepDays !== undefined && { keepDays: 1 }),
    ...(statusline === true && { statusLine: true }),
    ...(skipWebfetchPreflight === true && { skipWebFetchPreflight: true }),
  });
  const isPart = [keepDays, statusline, skipWebfetchPreflight].some((option) => option !== undefined);
  const done = isPart ? keyUndone : undoDone;
  const apply = () => app.applySetup(plan.id);
  await undoSetup(terminal, { plan, apply, backups: ports.paths.backups, done }, options);
  return 0;
}

interface Undoing {
  plan: Omit<SetupPlan, 'id' | 'privateId' | 'notes'>;
  apply(): Promise<unknown>;
  /** The folder of backups. */
  backups: string;
  /** What is said then. */
  done?: string;
}

/** Shows it and does it. False: the person declined. */
export async function undoSetup(
  terminal: Terminal,
  { plan, apply, backups, done = undoDone }: Undoing,
  options: Pick<SetupOptions, 'dryRun'> & { yes?: boolean },
): Promise<boolean> {
  const left = leftKeys(plan);
  if (!plan.changesFile) {
    if (!options.dryRun) await apply();
    terminal.out(
      left.length === 0
        ? `Nothing to undo: no key in ${plan.shown} is Jumpseat’s.`
        : `${leftSentence(left)} Nothing else was Jumpseat’s.`,
    );
    sayStatusLine(terminal, plan);
    return true;
  }
  show(
    terminal,
    plan,
    options.dryRun ? `Would remove Jumpseat’s keys from ${plan.shown}:` : `Remove Jumpseat’s keys from ${plan.shown}:`,
  );
  if (options.dryRun) {
    terminal.out('Nothing was written.');
    return true;
  }
  if (options.yes !== true && !(await agreed(terminal, 'Undo setup? [Y/n] '))) {
    declined(terminal);
    return false;
  }
  await apply();
  terminal.out(terminal.style('green', done));
  if (left.length > 0) terminal.out(`${leftSentence(left)} The rest was undone.`);
  sayStatusLine(terminal, plan);
  if (plan.lost.length > 0) {
    terminal.err(
      `The earlier values of ${plan.lost.join(', ')} couldn’t be put back: their backup is gone from ${backups}.`,
    );
  }
  return true;
}

/** One that isn't as the setup wrote it stays, and shows nothing once the program is gone. */
function sayStatusLine(terminal: Terminal, { changes, shown }: Undoing['plan']): void {
  const stays = changes.some(
    ({ name, kind, before }) => name === 'statusLine' && kind === 'left' && startsOurs(before ?? ''),
  );
  if (stays)
    terminal.out(
      `Claude Code’s status line still runs jumpseat. Remove "statusLine" from ${shown}, or put your own there.`,
    );
}

function leftSentence(left: readonly string[]): string {
  const one = left.length === 1;
  return (
    `${counted(left.length, 'key')} now ${one ? 'has another value' : 'have other values'} ` +
    `(${left.join(', ')}). ${one ? 'It was' : 'They were'} left alone.`
  );
}

/** The difference, in green and red where there is colour. */
function show(terminal: Terminal, plan: Undoing['plan'], heading: string): void {
  terminal.out(terminal.style('bold', heading));
  for (const change of plan.changes) for (const line of differenceLines(change, terminal)) terminal.out(line);
  const windows = windowsMeaning(plan);
  if (windows !== null) terminal.out(terminal.style('dim', windows));
  const goes = fileGoes(plan);
  if (goes !== null) terminal.out(goes);
}

const looks = {
  added: { style: 'green', sign: '+' },
  removed: { style: 'red', sign: '-' },
  same: { style: 'dim', sign: ' ' },
} as const;

export function differenceLines(change: SetupPlan['changes'][number], terminal: Pick<Terminal, 'style'>): string[] {
  return changedValues(change).map(({ look, value }) =>
    terminal.style(looks[look].style, `  ${looks[look].sign} ${writtenKey(change, value)}`),
  );
}

export async function agreed(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.canAsk) return true;
  const answer = (await terminal.ask(question))?.trim().toLowerCase();
  return answer === '' || answer === 'y' || answer === 'yes';
}

export function declined(terminal: Terminal): number {
  terminal.out('Nothing was written.');
  return 0;
}
