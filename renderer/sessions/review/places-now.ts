import type { Bridge } from '../../bridge/bridge.ts';
import type { Attachment, Comment } from '../composer/draft.ts';
import { type PlaceNow, writtenComments } from './comment-text.ts';
import { linesOfPatch, placeOf } from './review-lines.ts';

type Calls = Pick<Bridge, 'sessionChanges' | 'branchChanges' | 'filesNow'>;

/** Where the lines of comments are in the changes that they were written on, by their ids, as far as that is known. */
export async function placesNow(
  bridge: Calls,
  session: string,
  attachments: readonly Attachment[],
): Promise<ReadonlyMap<string, PlaceNow>> {
  const places = new Map<string, PlaceNow>();
  const patches = new Map<string, Promise<ReadonlyMap<string, string | null> | null>>();
  const comments = writtenComments(attachments);
  const isOfEdits = comments.some(({ scope }) => scope.of !== 'branch');
  const files = isOfEdits ? await bridge.filesNow({ session, turn: null }).catch(() => []) : [];
  const written = new Set(files.flatMap(({ path, now }) => (isAsLeft.has(now) ? [] : [path])));
  for (const comment of comments) {
    const scope = JSON.stringify(comment.scope);
    const asked = patches.get(scope) ?? patchesOf(bridge, session, comment.scope).catch(() => null);
    patches.set(scope, asked);
    const known = await asked;
    if (known === null) continue;
    const place = placeOf(comment, linesOfPatch(known.get(comment.path) ?? ''));
    const isElsewhere = comment.scope.of !== 'branch' && written.has(comment.path) && place.state !== 'gone';
    places.set(comment.id, isElsewhere ? { state: 'written' } : place);
  }
  return places;
}

/** Nothing but the agent wrote the file, or that can't be said. */
const isAsLeft: ReadonlySet<string> = new Set(['as-left', 'changed-between', 'unreadable']);

/** Patches by path; null if they can't be had. */
async function patchesOf(
  bridge: Calls,
  session: string,
  scope: Comment['scope'],
): Promise<ReadonlyMap<string, string | null> | null> {
  const changes =
    scope.of === 'branch'
      ? await bridge.branchChanges(session)
      : await bridge.sessionChanges({ session, turn: scope.of === 'turn' ? scope.turn : null });
  return changes === null || changes === 'not-trusted'
    ? null
    : new Map(changes.files.map(({ path, patch }) => [path, patch]));
}
