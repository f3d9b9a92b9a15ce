import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Way } from '../api/account.ts';
import type { ListedByWay } from '../copilot/catalog.ts';
import type { Slot } from '../ports.ts';

const listSchema = z.object({ login: z.string().nullable(), ids: z.array(z.string()) });
const fileSchema = z.record(z.string(), z.object({ vscode: listSchema, 'copilot-sdk': listSchema }).partial());

interface ListedModelsDependencies {
  /** The folder of what may go at any time. */
  cache: string;
  slot: Slot;
  /** Login of who is signed in. Null if unknown. */
  login(): string | null;
}

/**
 * Which models Copilot offered to an account on each way in, also to an earlier process, in `models.json`: only so that
 * the reason for a missing model can name the other way. Never throws.
 */
export function listedModels({ cache, slot, login }: ListedModelsDependencies): ListedByWay {
  const path = join(cache, 'models.json');
  const read = (): z.infer<typeof fileSchema> => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    save(way, ids) {
      const before = read();
      const list = { login: login(), ids: [...ids] };
      if (isDeepStrictEqual(before[slot]?.[way], list)) return;
      try {
        mkdirSync(cache, { recursive: true, mode: 0o700 });
        const unfinished = `${path}.${process.pid}.tmp`;
        writeFileSync(unfinished, JSON.stringify({ ...before, [slot]: { ...before[slot], [way]: list } }), {
          mode: 0o600,
        });
        renameSync(unfinished, path);
      } catch {
        // Without the file the reason names no other way.
      }
    },
    of(way: Way) {
      const list = read()[slot]?.[way];
      const now = login();
      // What another person was offered says nothing.
      return list === undefined || (now !== null && list.login !== null && list.login !== now) ? [] : list.ids;
    },
  };
}
