import { skipWebFetchPreflightWords } from '../../app/words/setup.ts';

/** Whether Claude Code’s WebFetch skips its question to Anthropic before it loads a page, and what that means. */
export function WebFetchChoice({ checked, change }: { checked: boolean; change: (checked: boolean) => void }) {
  const { choice, meaning } = skipWebFetchPreflightWords;
  return (
    <>
      <label className="choice-alone">
        <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} /> {choice}
      </label>
      <p className="muted">{meaning}</p>
    </>
  );
}
