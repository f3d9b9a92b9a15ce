import type { App } from '../../api/app.ts';
import type { keyCalls } from '../../api/calls/accounts.ts';
import type { CallArguments, CallResult } from '../../api/calls.ts';
import { keyWishSchema, type NamedKey } from '../../api/keys.ts';
import { t } from '../../language/translate.ts';
import { answerOfRunning } from '../../server/running-proxy.ts';
import { dayAndTime, moment } from '../../words/times.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { besideRunning } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';
import { printReport } from '../terminal.ts';

/** `jumpseat keys`. */
export async function keys(surroundings: Surroundings, { json }: { json?: boolean }): Promise<number> {
  const { terminal } = surroundings;
  const found = await asked(surroundings, 'namedKeys', (app) => app.namedKeys());
  printReport(terminal, found, json, () => keyLines(found, Date.now(), terminal.columns));
  return 0;
}

function keyLines(found: readonly NamedKey[], now: number, most?: number): string[] {
  if (found.length === 0)
    return [t('Only the local key. "jumpseat keys create NAME" makes one that can be revoked alone.')];
  return table(
    [
      { head: t('Name'), least: 8 },
      { head: t('For'), least: 8, spare: 1 },
      { head: t('Expires') },
      { head: t('Last used') },
    ],
    found.map(({ name, clients, expiresAt, lastUsedAt }) => [
      name,
      clients.join(', ') || t('any client'),
      expiresAt === null ? t('never') : expiresAt <= now ? t('expired') : dayAndTime(expiresAt),
      lastUsedAt === null ? '–' : moment(lastUsedAt, now),
    ]),
    undefined,
    most,
  );
}

/** `jumpseat keys create NAME`: nothing but the key on stdout. */
export async function createKey(
  surroundings: Surroundings,
  name: string,
  { client = [], days }: { client?: string[]; days?: string },
): Promise<number> {
  const { terminal } = surroundings;
  const wish = { name, clients: client, days: days === undefined ? null : Number(days) };
  const { data } = keyWishSchema.safeParse(wish);
  if (data === undefined) throw wrongUsage(t('--days must be a whole number from 1 to 3650.'));
  const key = await asked(surroundings, 'createKey', (app) => app.createKey(data), data);
  terminal.out(key);
  terminal.err(
    data.clients.length === 1
      ? t('It can’t be read again. Put it where the lines of "jumpseat env" have the local key.')
      : t(
          'It can’t be read again. Put it where the lines of "jumpseat env" have the local key. A dot and the client’s name follow it.',
        ),
  );
  return 0;
}

/** `jumpseat keys revoke NAME`. */
export async function revokeKey(surroundings: Surroundings, name: string): Promise<number> {
  await asked(surroundings, 'revokeKey', (app) => app.revokeKey(name), name);
  surroundings.terminal.out(t('{name} is refused from now on.', { name }));
  return 0;
}

/** Asked of the running Jumpseat, where there is one: it counts at once. */
async function asked<Name extends keyof typeof keyCalls>(
  surroundings: Surroundings,
  name: Name,
  own: (app: App) => Promise<CallResult<Name>>,
  ...given: CallArguments<Name>
): Promise<CallResult<Name>> {
  const beside = await besideRunning(surroundings);
  const answer = beside && (await answerOfRunning(beside.paths.lock, name, ...given));
  if (answer === null) return withApp(surroundings, {}, ({ app }) => own(app));
  if (!answer.ok) throw new CommandFailure(answer.problem.text, answer.problem.remedy);
  return answer.value;
}
