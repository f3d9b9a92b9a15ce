import { existsSync, readFileSync } from 'node:fs';
import { creditsOf } from '../../../app/words/numbers.ts';
import { until } from '../../soon.ts';
import type { SessionsPage } from './sessions-page.ts';

export interface Costs {
  /** By the names of their feet. */
  turns: Record<string, Sum>;
  whole: Sum;
}

interface Sum {
  user: number;
  agent: number;
  /** As it is written: `1.23`, `at least 1.23`, `≈ 1.23`, `Unknown`. */
  credits: string;
}

/** What the session that is open says about its turns, and about all of it. */
export async function shownCosts(sessions: SessionsPage): Promise<Costs> {
  const turns: [string, Sum][] = [];
  for (const [id, text] of await sessions.feet()) turns.push([id, readSum(ofTurn, text)]);
  return { turns: Object.fromEntries(turns), whole: readSum(ofSession, (await sessions.foot.textContent()) ?? '') };
}

const ofTurn =
  /(?<user>\d+) user and (?<agent>\d+) agent requests?\. Show them\. (?:(?<credits>(?:at least )?(?:about |≈ )?[\d.,]+) credits(?:, not reported by Copilot)?|(?<unknown>Cost unknown: not reported by Copilot))$/;
const ofSession =
  /^(?<credits>(?:at least )?(?:about |≈ )?[\d.,]+) credits ?(?<user>\d+) user, (?<agent>\d+) agent requests/;

function readSum(pattern: RegExp, text: string): Sum {
  const { user, agent, unknown, credits = unknown ? 'Unknown' : text } = pattern.exec(text)?.groups ?? {};
  return { user: Number(user), agent: Number(agent), credits };
}

/**
 * The same by the log: the view's own ways lead to its rows of each turn, and of the session, whose export is summed.
 * @param exported the file that the window saves into
 */
export async function loggedCosts(sessions: SessionsPage, turns: string[], exported: string): Promise<Costs> {
  const { page, address, foot } = sessions;
  const requests = new Map<string, ReadonlySet<string>>();
  const listed = (of: string): Promise<unknown> =>
    until(
      () => page.locator('.requests_row').first().isVisible(),
      async () => ({
        ...{ of, at: sessions.address, focus: await page.evaluate(() => document.activeElement?.outerHTML) },
        shown: await page.locator('main').innerText(),
      }),
    );
  // Upwards: one comes back to the place where one left.
  for (const turn of turns.toReversed()) {
    // By the keyboard: a transcript that moves at that moment takes no click away.
    await (await sessions.revealed(turn)).locator('.transcript_by-whom').press('Enter');
    await listed(turn);
    const query = new URLSearchParams(sessions.address.split('?').at(-1)).get('q') ?? '';
    requests.set(turn, new Set((/^id:(\S+)$/.exec(query)?.[1] ?? '').split(',')));
    await sessions.go(address);
    await foot.waitFor();
  }
  await foot.getByRole('link', { name: /agent requests$/ }).click();
  await listed('the session');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('radio', { name: 'CSV' }).check();
  await page.getByRole('button', { name: /^Export \d+ requests$/ }).click();
  await until(() => existsSync(exported) && readFileSync(exported, 'utf8').endsWith('\r\n'));
  const [head = '', ...lines] = readFileSync(exported, 'utf8').trimEnd().split('\r\n');
  const names = head.split(',');
  const rows = lines.map((line): Row => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])));
  const byTurn = [...requests].map(([turn, some]) => {
    const ofTurn = rows.filter(({ id = '' }) => some.has(id));
    return [turn, summed(ofTurn)] as const;
  });
  return { turns: Object.fromEntries(byTurn), whole: summed(rows) };
}

type Row = Record<string, string>;

function summed(rows: readonly Row[]): Sum {
  // What was refused, and what only counted tokens, is a request of nobody's.
  const counted = rows.filter(({ charge }) => charge !== 'none');
  const by = (initiator: string): number => counted.filter((row) => row.initiator === initiator).length;
  const requests = { user: by('user'), agent: by('agent') };
  const nanoAiu = rows.reduce((sum, { credits = '' }) => sum + Math.round(Number(credits) * 1e9), 0);
  const unknown = rows.some(({ charge }) => charge === 'unknown');
  const estimate = rows.reduce((sum, { estimated_credits: one = '' }) => sum + Math.round(Number(one) * 1e9), 0);
  const isMore = rows.some(({ charge, estimated_credits: one = '' }) => charge === 'unknown' && one === '');
  const about = isMore ? 'at least about' : '≈';
  if (estimate > 0) return { ...requests, credits: `${about} ${creditsOf(nanoAiu + estimate)}` };
  const least = nanoAiu === 0 ? 'Unknown' : `at least ${creditsOf(nanoAiu)}`;
  return { ...requests, credits: unknown ? least : creditsOf(nanoAiu) };
}
