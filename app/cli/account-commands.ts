import type { Command } from 'commander';
import { t } from '../language/translate.ts';
import type { Surroundings } from './surroundings.ts';
import { example } from './table.ts';

/* Commands with commands of their own: the person's accounts, and local keys. */

/** The person's own accounts, side by side. */
export function accountCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  const loaded = () => import('./commands/accounts.ts');
  const accounts = program
    .command('accounts')
    .description(t('your accounts: the one in use, and the client labels bound to each'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat accounts bind Work work',
        t(
          'You choose the account in use. Clients with a bound label use its account. Jumpseat never switches at a limit.',
        ),
        t('jumpseat env --client work   for the lines of such a client'),
      ),
    )
    .action(async (options) => ended(await (await loaded()).accounts(surroundings, options)));
  // Run by shells that complete a name.
  accounts.command('names', { hidden: true }).action(async () => ended((await loaded()).printNames(surroundings)));
  accounts
    .command('use <name>')
    .description(t('use this account from now on'))
    .action(async (name) => ended(await (await loaded()).switchAccount(surroundings, name)));
  accounts
    .command('bind <name> <label>')
    .description(t('clients with this label use this account, whichever is in use'))
    .action(async (name, label) => ended(await (await loaded()).bindAccount(surroundings, name, label)));
  accounts
    .command('unbind <label>')
    .description(t('clients with this label use the account in use'))
    .action(async (label) => ended(await (await loaded()).unbindAccount(surroundings, label)));
  accounts
    .command('rename <name> <new>')
    .description(t('give it another name'))
    .action(async (name, wished) => ended(await (await loaded()).renameAccount(surroundings, name, wished)));
  accounts
    .command('remove <name>')
    .description(t('sign out of an account that is not in use, and forget its name and labels'))
    .action(async (name) => ended(await (await loaded()).removeAccount(surroundings, name)));
}

/** Further local keys. */
export function keyCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  const loaded = () => import('./commands/keys.ts');
  const keys = program
    .command('keys')
    .description(t('further local keys: for which clients each is, when it expires, and when it was used'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat keys create ci --client codex --days 30',
        t('The key is shown once. It opens what the local key opens, and can be revoked alone.'),
        'jumpseat keys revoke ci',
      ),
    )
    .action(async (options) => ended(await (await loaded()).keys(surroundings, options)));
  keys
    .command('create <name>')
    .description(t('create a key and print it, once'))
    .option('--client <labels...>', t('the client labels that it is for (default: all)'))
    .option('--days <count>', t('refuse it after so many days (default: never)'))
    .action(async (name, options) => ended(await (await loaded()).createKey(surroundings, name, options)));
  keys
    .command('revoke <name>')
    .description(t('refuse it from now on, and end the answers that run with it'))
    .action(async (name) => ended(await (await loaded()).revokeKey(surroundings, name)));
}

/** Rules for models. */
export function ruleCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  const loaded = () => import('./commands/models.ts');
  const rules = program
    .command('rules')
    .description(t('your rules: which requests use which model, effort and account'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat rules',
        t('In the order in which they are tried. Settings → Rules adds and changes them.'),
        t('jumpseat rules try opus --class subagent   what they would do'),
      ),
    )
    .action(async (options) => ended(await (await loaded()).rules(surroundings, options)));
  rules
    .command('try')
    .argument('<model>', t('the model that the request asks for'))
    .description(t('what would happen to a request; nothing is sent. Exit code 1 where it would be refused'))
    .option('--client <label>', t('the client; claude-code unless given'))
    .option('--key <name>', t('the further local key that it comes with'))
    .option('--folder <path>', t('the whole path of its session’s folder'))
    .option('--class <name>', t('main, subagent, compaction or auxiliary; main unless given'))
    .option('--json', t('the same as JSON'))
    .addHelpText(
      'after',
      example(
        'jumpseat rules try opus --class subagent',
        t('Says which rule is for it, what it would run on, and what your limits say.'),
        t('jumpseat models --why opus   what the name means for every request'),
      ),
    )
    .action(async (model, _, command) =>
      ended(await (await loaded()).tryRules(surroundings, model, command.optsWithGlobals())),
    );
}
