import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { ShownText } from '../text/shown-text.tsx';
import type { AskedPermission, Wish } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
import { shownPath } from './path-words.ts';

/** `Run this command?`, `Edit src/deliver.ts?` */
export function PermissionTitle({ asked: { wish }, cwd }: { asked: AskedPermission; cwd: string }) {
  const file = useAskedFile(wish.kind === 'write' ? wish.path : null);
  const [verb, object, rest] = titleOf(wish, file?.state ?? null);
  if (object === null) return verb;
  const shown = 'path' in wish ? shownPath(object, cwd) : object;
  return (
    <>
      {verb}{' '}
      <span className="mono" title={object}>
        <ShownText text={shown} />
      </span>
      {rest}?
    </>
  );
}

function titleOf(wish: Wish, state: AskedFile['state'] | null): [verb: string, object: string | null, rest?: string] {
  switch (wish.kind) {
    case 'command':
      return [wish.isInBackground ? 'Start this command in the background?' : 'Run this command?', null];
    case 'edit':
      return ['Edit', wish.path];
    case 'write':
      if (state === null) return ['Write', wish.path];
      return [state === 'missing' ? 'Create' : 'Replace', wish.path];
    case 'page':
      return ['Fetch this page?', null];
    case 'search-web':
      return ['Search the web for this?', null];
    case 'read':
      return ['Read', wish.path];
    case 'mcp':
      return ['Use', wish.tool, ` of ${wish.server}`];
    case 'subagent':
      return wish.type === null ? ['Start a subagent?', null] : ['Start subagent', wish.type];
    case 'skill':
      return ['Use the skill', wish.name];
    case 'plan':
      return ['Go ahead with this plan?', null];
    case 'other':
      return ['Use', wish.tool];
  }
}
