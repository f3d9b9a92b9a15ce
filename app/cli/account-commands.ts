import type { Command } from 'commander';
import { example } from './example.ts';
import type { Surroundings } from './surroundings.ts';

/** The person's own accounts, side by side. */
export function accountCommands(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  const loaded = () => import('./commands/accounts.ts');
  const accounts = program
    .command('accounts')
    .description('your own accounts, side by side: which is in use, and which client goes out with which')
    .option('--json', 'the same as JSON')
    .addHelpText(
      'after',
      example(
        'jumpseat accounts bind Work work',
        'One is in use, changed by hand; clients with a bound label go out with its account. A limit changes nothing of it.',
        'jumpseat env --client work   for the lines of such a client',
      ),
    )
    .action(async (options) => ended(await (await loaded()).accounts(surroundings, options)));
  accounts
    .command('use <name>')
    .description('go out with this account from now on')
    .action(async (name) => ended(await (await loaded()).switchAccount(surroundings, name)));
  accounts
    .command('bind <name> <label>')
    .description('clients with this label go out with this account, whichever is in use')
    .action(async (name, label) => ended(await (await loaded()).bindAccount(surroundings, name, label)));
  accounts
    .command('unbind <label>')
    .description('clients with this label go out with the account in use')
    .action(async (label) => ended(await (await loaded()).unbindAccount(surroundings, label)));
  accounts
    .command('rename <name> <new>')
    .description('give it another name')
    .action(async (name, wished) => ended(await (await loaded()).renameAccount(surroundings, name, wished)));
  accounts
    .command('remove <name>')
    .description('sign out of an account that is not in use, and forget its name and labels')
    .action(async (name) => ended(await (await loaded()).removeAccount(surroundings, name)));
}

export function logoutCommand(program: Command, surroundings: Surroundings, ended: (exitCode: number) => void): void {
  program
    .command('logout')
    .description('forget the GitHub token everywhere on this machine')
    .option('--account <name>', 'this account; the one in use unless given. The others stay signed in')
    .addHelpText(
      'after',
      example(
        'jumpseat logout',
        'Claude Code stops working through Jumpseat. Your history stays.',
        'jumpseat setup claude-code --undo   if you are done with it',
      ),
    )
    .action(async (options) => ended(await (await import('./commands/logout.ts')).logout(surroundings, options)));
}
