import { nodePaths } from '../../adapters/paths.ts';
import { shellCheck } from '../../claude-code/checks.ts';
import { withStandIns } from '../../claude-code/env.ts';
import { claudeSettingsPath } from '../../claude-code/settings-file.ts';
import {
  applySetup,
  applyUndo,
  type FilePlan,
  openModeNote,
  planSetup,
  planUndo,
  type SetupChange,
  type SetupPlace,
} from '../../claude-code/setup.ts';
import { findShellVariables } from '../../claude-code/shell-variables.ts';
import { counted } from '../../words/numbers.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { runningProxy } from '../running.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';

export interface SetupOptions {
  dryRun?: boolean;
  undo?: boolean;
  /** Close settings.json for others. */
  private?: boolean;
}

/** `jumpseat setup claude-code`: shows what changes, then changes it; asks in between where somebody can answer. */
export async function setup(surroundings: Surroundings, client: string, options: SetupOptions): Promise<number> {
  if (client !== 'claude-code') throw wrongUsage(`Jumpseat can set up claude-code, not "${client}".`);
  const paths = nodePaths(surroundings.env);
  const place = { settings: claudeSettingsPath(surroundings.env), paths };
  return options.undo ? undo(surroundings, place, options) : setupClaudeCode(surroundings, place, options);
}

async function setupClaudeCode(surroundings: Surroundings, place: SetupPlace, options: SetupOptions): Promise<number> {
  const { terminal, env } = surroundings;
  const found = await withApp(surroundings, {}, async (opened) => {
    const { ports, variables: own } = opened;
    const running = await runningProxy(ports.paths.lock);
    const { linesFor } = await import('../lines-for-claude-code.ts');
    const lines = await linesFor(opened, 'claude-code');
    const problem = opened.app.state().secrets.problem;
    if (own.key === null && (ports.secrets.storage === 'memory' || problem !== null)) {
      throw new CommandFailure(
        'The local key can’t be kept here, so what is written into settings.json would stop working.',
        problem?.mend ?? 'Set JUMPSEAT_KEY, or run without JUMPSEAT_SECRETS=memory.',
      );
    }
    return { lines, running };
  });
  const { variables, notes } = withStandIns(found.lines.variables);
  const plan = await planSetup(place, variables);
  if (!plan.changesFile) {
    terminal.out(`Claude Code is set up already: ${counted(plan.changes.length, 'key')} set in ${plan.shown}.`);
    const closed = options.dryRun ? false : await closes(terminal, plan, options);
    if (!options.dryRun) await applySetup(place, plan, { closed });
    sayMode(terminal, plan, closed, options);
    return 0;
  }
  show(terminal, plan, options.dryRun ? `Would change ${plan.shown}:` : `Change ${plan.shown}:`);
  for (const note of [
    ...found.lines.notes.filter((text) => !(notes.length > 0 && text.includes('haiku model'))),
    ...notes,
  ])
    terminal.out(note);
  if (options.dryRun) {
    sayMode(terminal, plan, false, options);
    terminal.out('Nothing was written.');
    return 0;
  }
  if (!(await agreed(terminal, 'Add to settings? [Y/n] '))) return declined(terminal);
  const closed = await closes(terminal, plan, options);
  const { backup } = await applySetup(place, plan, { closed });
  terminal.out(terminal.style('green', 'Claude Code set up. Open a new terminal.'));
  if (backup !== null) terminal.out(`Backup: ${backup}`);
  sayMode(terminal, plan, closed, options);
  terminal.out('Undo it at any time with "jumpseat setup claude-code --undo".');
  const shell = shellCheck(await findShellVariables({ env, project: process.cwd() }, variables), true);
  if (shell.mend !== null) terminal.err(`${shell.finding} ${shell.mend}`);
  if (found.running === null) terminal.out('Next: run "jumpseat serve".');
  return 0;
}

/**
 * Whether the person wants a file that others can read to be closed for them. Only somebody who can answer is asked.
 */
async function closes(terminal: Terminal, plan: FilePlan, options: SetupOptions): Promise<boolean> {
  const note = openModeNote(plan);
  if (note === null || options.private === true) return note !== null;
  if (!terminal.canAsk) return false;
  terminal.out(note);
  return agreed(terminal, 'Make it readable for you alone (mode 0600)? [Y/n] ');
}

/** Who was asked knows it. */
function sayMode(terminal: Terminal, plan: FilePlan, closed: boolean, { dryRun = false }: SetupOptions): void {
  const note = openModeNote(plan);
  if (note === null) return;
  if (closed) terminal.out(`${plan.shown} is readable for you alone now (mode 0600).`);
  else if (dryRun || !terminal.canAsk)
    terminal.err(`${note} "jumpseat setup claude-code --private" makes it readable for you alone.`);
}

async function undo({ terminal }: Surroundings, place: SetupPlace, options: SetupOptions): Promise<number> {
  const plan = await planUndo(place);
  const left = plan.changes.filter(({ kind }) => kind === 'left');
  if (!plan.changesFile) {
    if (!options.dryRun) await applyUndo(place, plan);
    terminal.out(
      left.length === 0
        ? `Nothing to undo: no key in ${plan.shown} is Jumpseat’s.`
        : `${leftSentence(left)} Nothing else was Jumpseat’s.`,
    );
    return 0;
  }
  show(
    terminal,
    plan,
    options.dryRun ? `Would take Jumpseat’s keys out of ${plan.shown}:` : `Take Jumpseat’s keys out of ${plan.shown}:`,
  );
  if (options.dryRun) {
    terminal.out('Nothing was written.');
    return 0;
  }
  if (!(await agreed(terminal, 'Undo setup? [Y/n] '))) return declined(terminal);
  await applyUndo(place, plan);
  terminal.out(terminal.style('green', 'Claude Code setup undone.'));
  if (left.length > 0) terminal.out(`${leftSentence(left)} The rest was undone.`);
  if (plan.lost.length > 0) {
    terminal.err(
      `The earlier values of ${plan.lost.join(', ')} couldn’t be put back: their backup is gone from ` +
        `${place.paths.backups}.`,
    );
  }
  return 0;
}

function leftSentence(left: readonly SetupChange[]): string {
  const one = left.length === 1;
  return (
    `${counted(left.length, 'key')} now ${one ? 'has another value' : 'have other values'} ` +
    `(${left.map(({ name }) => name).join(', ')}). ${one ? 'It was' : 'They were'} left alone.`
  );
}

/** The difference, in green and red where there is colour. */
function show(terminal: Terminal, plan: FilePlan, heading: string): void {
  terminal.out(terminal.style('bold', heading));
  for (const change of plan.changes) for (const line of differenceLines(change, terminal)) terminal.out(line);
  if (plan.removesFile) terminal.out('The file holds nothing else and was made by the set-up, so it goes too.');
  if (plan.keepsBackup) terminal.out('A backup is kept.');
}

export function differenceLines(
  { name, kind, before, after }: SetupChange,
  terminal: Pick<Terminal, 'style'>,
): string[] {
  const line = (value: string | null): string =>
    `"${name}": ${value === null || value.startsWith('"') ? value : `"${value}"`}`;
  const removed = terminal.style('red', `  - ${line(before)}`);
  const added = terminal.style('green', `  + ${line(after)}`);
  switch (kind) {
    case 'add':
      return [added];
    case 'replace':
    case 'restore':
      return [removed, added];
    case 'remove':
      return [removed];
    case 'same':
    case 'left':
      return [terminal.style('dim', `    ${line(before)}`)];
  }
}

async function agreed(terminal: Terminal, question: string): Promise<boolean> {
  if (!terminal.canAsk) return true;
  const answer = (await terminal.ask(question))?.trim().toLowerCase();
  return answer === '' || answer === 'y' || answer === 'yes';
}

function declined(terminal: Terminal): number {
  terminal.out('Nothing was written.');
  return 0;
}
