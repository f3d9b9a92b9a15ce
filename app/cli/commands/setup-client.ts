import type { App } from '../../api/app.ts';
import { type ClientPlan, clientNameSchema, clientUseSchema } from '../../api/setup.ts';
import { KeyNotKeptError } from '../../claude-code/setup/plan-setup.ts';
import { NoModelsError } from '../../clients/lines.ts';
import { usesOf } from '../../clients/programs.ts';
import { listed } from '../../language/formats.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { runningProxy } from '../../server/running-proxy.ts';
import {
  brokenSetups,
  clientDone,
  clientNotes,
  filesWords,
  nothingChanges,
  setUpCommand,
  stateOfUse,
} from '../../words/setup.ts';
import { startProxy } from '../../words/status.ts';
import { CommandFailure, storageRemedy, wrongUsage } from '../failure.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { agreed, declined, type SetupOptions } from './setup.ts';

const signs = {
  added: { style: 'green', sign: '+' },
  removed: { style: 'red', sign: '-' },
  skipped: { style: 'dim', sign: ' ' },
} as const;

/** `jumpseat setup codex`: shows what changes in the program's own file, then changes it. */
export async function setupClient(surroundings: Surroundings, given: string, options: SetupOptions): Promise<number> {
  const { terminal } = surroundings;
  if (given === 'list') {
    if (Object.values(options).some((option) => option !== undefined))
      throw wrongUsage(t('Options need the name of a program: "jumpseat setup codex --dry-run".'));
    return list(surroundings);
  }
  const name = clientNameSchema.safeParse(given).data;
  if (name === undefined)
    throw wrongUsage(
      t('Jumpseat can’t set up "{name}".', { name: given }),
      t('"jumpseat setup" lists the programs that it can, and "jumpseat env --help" the lines for others.'),
    );
  const ofClaudeCode = ['statusline', 'keepDays', 'skipWebfetchPreflight', 'private'] as const;
  if (ofClaudeCode.some((option) => options[option] !== undefined))
    throw wrongUsage(
      t('--private, --statusline, --keep-days and --skip-webfetch-preflight are for claude-code alone.'),
    );
  const use = options.as === undefined ? null : (clientUseSchema.safeParse(options.as).data ?? undefined);
  if (use === undefined || (use !== null && !usesOf(name).includes(use)))
    throw wrongUsage(t('--as must be {uses} for {name}.', { uses: listed(usesOf(name), 'disjunction'), name }));
  return withApp(surroundings, {}, async ({ app, ports }) => {
    const plan = await app.planClient(name, use, options.undo === true ? 'undo' : 'setup').catch((error: unknown) => {
      if (error instanceof KeyNotKeptError) throw new CommandFailure(error.message, storageRemedy(app.state().secrets));
      if (error instanceof NoModelsError)
        throw new CommandFailure(error.message, t('Run "jumpseat login", or wait until Copilot can be reached.'));
      throw error;
    });
    if (options.dryRun === true) {
      show(terminal, plan, true);
      if (plan.next !== null) terminal.out(plan.next);
      terminal.out(t('Nothing was written.'));
      return 0;
    }
    const isChanged = await changeClient(terminal, app, plan, false);
    if (!isChanged || plan.files.every(({ change }) => change === 'none')) return 0;
    if (plan.next !== null) terminal.out(plan.next);
    if (options.undo === true) return 0;
    // Without its use, undo would take out the others, too.
    terminal.out(
      t('Undo it at any time with "{command}".', {
        command: `jumpseat setup ${name}${use === null ? '' : ` --as ${use}`} --undo`,
      }),
    );
    if ((await runningProxy(ports.paths.lock)) === null) {
      const policy = app.warnings().find(({ code }) => code === 'policy');
      terminal.out(
        policy === undefined
          ? sentences(t('The proxy is off.'), translated(startProxy))
          : sentences(policy.text, policy.remedy),
      );
    }
    return 0;
  });
}

/** Shows it, asks and does it. False: the person declined. */
export async function changeClient(
  terminal: Terminal,
  app: Pick<App, 'applyClient'>,
  plan: ClientPlan,
  isAgreed: boolean,
): Promise<boolean> {
  const { id, action, files } = plan;
  show(terminal, plan, false);
  if (files.every(({ change }) => change === 'none')) {
    await app.applyClient(id);
    return true;
  }
  const question = action === 'undo' ? t('Undo setup?') : t('Add to settings?');
  if (!isAgreed && !(await agreed(terminal, question))) {
    declined(terminal);
    return false;
  }
  const { backups } = await app.applyClient(id);
  terminal.out(terminal.style('green', clientDone(plan)));
  for (const backup of backups) terminal.out(t('Backup: {path}', { path: backup }));
  return true;
}

function show(terminal: Terminal, plan: ClientPlan, isDry: boolean): void {
  const { action, files } = plan;
  if (files.every(({ change }) => change === 'none')) terminal.out(nothingChanges(plan));
  for (const { shown, difference, change } of files) {
    if (change === 'none') continue;
    terminal.out(terminal.style('bold', heading(shown, change, action, isDry)));
    for (const { kind, text } of difference) {
      const { style, sign } = signs[kind];
      terminal.out(terminal.style(style, `  ${sign} ${text}`.trimEnd()));
    }
  }
  for (const note of [...clientNotes(plan), ...(plan.modeNote === null ? [] : [plan.modeNote])]) terminal.out(note);
}

function heading(
  shown: string,
  change: Exclude<ClientPlan['files'][number]['change'], 'none'>,
  action: ClientPlan['action'],
  isDry: boolean,
): string {
  const file = shown;
  switch (change) {
    case 'create':
      return isDry ? t('Would create {file}:', { file }) : t('Create {file}:', { file });
    case 'remove':
      return isDry ? t('Would remove {file}:', { file }) : t('Remove {file}:', { file });
    case 'write':
      if (action === 'undo')
        return isDry ? t('Would take Jumpseat out of {file}:', { file }) : t('Take Jumpseat out of {file}:', { file });
      return isDry ? t('Would change {file}:', { file }) : t('Change {file}:', { file });
  }
}

async function list(surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const { clients, claudeCode } = await withApp(surroundings, {}, async ({ app }) => ({
    clients: await app.clients(),
    claudeCode: await app.planSetup('undo'),
  }));
  const rows = clients.flatMap(({ name, title, uses, isInstalled }) =>
    uses.map(({ use, files, state, by }, index) => [
      index === 0 ? name : `${name} --as ${use}`,
      title,
      use,
      state === 'not-set-up' && !isInstalled ? t('not found') : stateOfUse({ state, by }),
      filesWords(files),
    ]),
  );
  const ofClaudeCode = claudeCode.isSetUp ? t('set up') : t('not set up');
  const lines = table(
    [
      { head: t('client') },
      { head: t('program'), spare: 1 },
      { head: t('gets') },
      { head: t('state') },
      { head: t('file'), least: 12 },
    ],
    [['claude-code', 'Claude Code', 'models', ofClaudeCode, claudeCode.shown], ...rows],
    (text) => terminal.style('dim', text),
    terminal.columns,
  );
  for (const line of lines) terminal.out(line);
  terminal.out('');
  for (const { client, use, trouble } of brokenSetups(clients))
    terminal.out(
      sentences(
        terminal.style('yellow', `${client.title}: ${trouble}`),
        t('Set it up again: "{command}".', { command: setUpCommand(client, use) }),
      ),
    );
  terminal.out(t('To set one up: "jumpseat setup codex". To see first what would change, add --dry-run.'));
  if (rows.some(([, , , state]) => state === t('not found')))
    terminal.out(t('“not found”: neither the program’s command nor the folder of its file is on this machine.'));
  return 0;
}
