import type { Exchange } from '../../api/exchange.ts';
import type { RuleScope } from '../../api/rules.ts';

/** The scope of a person's limit or rule: the requests that it is for. */

/** In which folders sessions work; what was asked for once is known afterwards. */
export interface SessionFolders {
  /** Learns of all sessions on this machine. Never rejects. */
  learnAll(): Promise<void>;
  /** Learns of one that may have begun since. Never rejects. */
  learn(who: Sender): Promise<void>;
  /** Whether its folder is this one, or in it; false if it isn't known. */
  isIn(who: Sender, folder: string): boolean;
}

type Sender = Pick<Exchange, 'client' | 'session'>;

/** `model`: its name or id. */
export type Scoped = Sender & Pick<Exchange, 'key'> & { class?: string | null; model: string | null };

/** Whether all that the scope names is true of the request. */
export function scopeHolds(scope: RuleScope, who: Scoped, folders: Pick<SessionFolders, 'isIn'>): boolean {
  const { client, key, model, folder } = scope;
  return (
    (client === undefined || client === who.client) &&
    (key === undefined || key === who.key) &&
    (scope.class === undefined || scope.class === who.class) &&
    (model === undefined || who.model?.toLowerCase().includes(model.toLowerCase()) === true) &&
    (folder === undefined || folders.isIn(who, folder))
  );
}
