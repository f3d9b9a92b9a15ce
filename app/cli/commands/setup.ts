import { memorySecrets } from '../../adapters/movable-secrets.ts';
import { nodePaths } from '../../adapters/paths.ts';
import { mostKeepDays, type SetupPlan } from '../../api/setup.ts';
import { KeyNotKeptError, startsOurs } from '../../claude-code/setup/plan-setup.ts';
import { readRecord } from '../../claude-code/setup-record.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { runningProxy, silentOwner } from '../../server/running-proxy.ts';
import { grouped } from '../../words/numbers.ts';
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
import { saysYes, type Terminal } from '../terminal.ts';
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
  if (options.as !== undefined) throw wrongUsage(t('--as means nothing with claude-code.'));
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
      throw new CommandFailure(error.message, t('Set JUMPSEAT_KEY, or store secrets elsewhere than in memory.'));
    const isRunning = (await runningProxy(ports.paths.lock)) !== null;
    const now = isRunning ? t('For one terminal, until Jumpseat quits: {line}', { line: oneLine(env) }) : '';
    throw new CommandFailure(error.message, sentences(storageRemedy(secrets), now));
  });
  if (!plan.changesFile) {
    terminal.out(
      t('Claude Code is set up already: {count, plural, one {# key} other {# keys}} set in {file}.', {
        count: plan.changes.length,
        file: plan.shown,
      }),
    );
    const closed = options.dryRun ? false : await closes(terminal, plan, options);
    if (!options.dryRun) await app.applySetup(idOf(plan, closed));
    sayMode(terminal, plan, closed, options);
    return 0;
  }
  show(terminal, plan, heading(plan.createsFile ? 'create' : 'change', plan, options.dryRun === true));
  const saved = options.dryRun ? null : backupIsSaved(plan);
  if (saved !== null) terminal.out(saved);
  for (const note of notesOf(plan, 'models')) terminal.out(note);
  if (options.dryRun) {
    sayMode(terminal, plan, false, options);
    terminal.out(t('Nothing was written.'));
    return 0;
  }
  if (!(await agreed(terminal, t('Add to settings?')))) return declined(terminal);
  const closed = await closes(terminal, plan, options);
  const { backup } = await app.applySetup(idOf(plan, closed));
  terminal.out(terminal.style('green', translated(setupDone)));
  if (backup !== null) terminal.out(t('Backup: {path}', { path: backup }));
  sayMode(terminal, plan, closed, options);
  terminal.out(t('Undo it at any time with "{command}".', { command: 'jumpseat setup claude-code --undo' }));
  const shell = noteOf(plan, 'shell');
  if (shell !== null) terminal.err(shell);
  if ((await runningProxy(ports.paths.lock)) === null) {
    const silent = silentOwner(ports.paths.lock);
    terminal.out(silent === null ? t('Next: run "jumpseat serve".') : sentences(silent.text, silent.remedy));
  }
  return 0;
}

function days(text: string | true): number {
  const value = text !== true && /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= mostKeepDays) return value;
  throw wrongUsage(
    text === true
      ? t('--keep-days needs a number of days from 1 to {most}.', { most: grouped(mostKeepDays) })
      : t('"{text}" is no number of days from 1 to {most}.', { text, most: grouped(mostKeepDays) }),
    t('For a year: "jumpseat setup claude-code --keep-days 365".'),
  );
}

/** Tells or asks about the way around WebFetch's check only if the check failed. */
async function skipsPreflight(terminal: Terminal, app: Opened['app'], options: SetupOptions): Promise<boolean> {
  const { choice, meaning } = skipWebFetchPreflightWords;
  if (options.skipWebfetchPreflight === true) {
    terminal.out(translated(meaning));
    return true;
  }
  const check = await app.check('claude-code.webfetch');
  if (check?.found !== 'webfetch-asks-in-vain') return false;
  terminal.out(`WebFetch: ${sentences(check.finding, translated(meaning))}`);
  if (options.dryRun || !terminal.canAsk) {
    terminal.out(t('To set it: "{command}".', { command: 'jumpseat setup claude-code --skip-webfetch-preflight' }));
    return false;
  }
  return saysYes(terminal, t('{choice}?', { choice: translated(choice) }));
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
  return agreed(terminal, t('Make it readable only for you (mode 0600)?'));
}

/** Says nothing to a person who was asked. */
function sayMode(terminal: Terminal, plan: SetupPlan, closed: boolean, options: SetupOptions): void {
  const { dryRun = false } = options;
  if (closed) terminal.out(t('{file} is now readable only for you (mode 0600).', { file: plan.shown }));
  else if (options.private === true)
    terminal.out(t('Would make {file} readable only for you (mode 0600).', { file: plan.shown }));
  const note = noteOf(plan, 'open');
  if (note === null || closed || options.private === true) return;
  if (dryRun || !terminal.canAsk)
    terminal.err(sentences(note, t('"jumpseat setup claude-code --private" makes it readable only for you.')));
}

async function undo(terminal: Terminal, { app, ports }: Opened, options: SetupOptions): Promise<number> {
  const { keepDays, statusline, skipWebfetchPreflight } = options;
  const plan = await app.planSetup('undo', {
    ...(keepDays !== undefined && { keepDays: 1 }),
    ...(statusline === true && { statusLine: true }),
    ...(skipWebfetchPreflight === true && { skipWebFetchPreflight: true }),
  });
  const isPart = [keepDays, statusline, skipWebfetchPreflight].some((option) => option !== undefined);
  const done = translated(isPart ? keyUndone : undoDone);
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
  { plan, apply, backups, done = translated(undoDone) }: Undoing,
  options: Pick<SetupOptions, 'dryRun'> & { yes?: boolean },
): Promise<boolean> {
  const left = leftKeys(plan);
  if (!plan.changesFile) {
    if (!options.dryRun) await apply();
    terminal.out(
      left.length === 0
        ? t('Nothing to undo: no key in {file} is Jumpseat’s.', { file: plan.shown })
        : sentences(leftSentence(left), t('Nothing else was Jumpseat’s.')),
    );
    sayStatusLine(terminal, plan);
    return true;
  }
  show(terminal, plan, heading('undo', plan, options.dryRun === true));
  if (options.dryRun) {
    terminal.out(t('Nothing was written.'));
    return true;
  }
  if (options.yes !== true && !(await agreed(terminal, t('Undo setup?')))) {
    declined(terminal);
    return false;
  }
  await apply();
  terminal.out(terminal.style('green', done));
  if (left.length > 0) terminal.out(sentences(leftSentence(left), t('The rest was undone.')));
  sayStatusLine(terminal, plan);
  if (plan.lost.length > 0) {
    terminal.err(
      t('The earlier values of {names} couldn’t be put back: their backup is gone from {folder}.', {
        names: plan.lost.join(', '),
        folder: backups,
      }),
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
      t('Claude Code’s status line still runs jumpseat. Remove "statusLine" from {file}, or put your own there.', {
        file: shown,
      }),
    );
}

function leftSentence(left: readonly string[]): string {
  return t(
    '{count, plural, one {# key now has another value ({names}). It was left alone.} other {# keys now have other values ({names}). They were left alone.}}',
    { count: left.length, names: left.join(', ') },
  );
}

function heading(action: 'create' | 'change' | 'undo', { shown: file }: { shown: string }, isDry: boolean): string {
  switch (action) {
    case 'create':
      return isDry ? t('Would create {file}:', { file }) : t('Create {file}:', { file });
    case 'change':
      return isDry ? t('Would change {file}:', { file }) : t('Change {file}:', { file });
    case 'undo':
      return isDry
        ? t('Would remove Jumpseat’s keys from {file}:', { file })
        : t('Remove Jumpseat’s keys from {file}:', { file });
  }
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
  return !terminal.canAsk || (await saysYes(terminal, question, 'yes'));
}

export function declined(terminal: Terminal): number {
  terminal.out(t('Nothing was written.'));
  return 0;
}
