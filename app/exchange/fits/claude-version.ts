import type { CatalogModel } from '../../copilot/model.ts';

/** `claude-sonnet-4.6` → 4.6 as [4, 6]; null for what is no Claude or is named otherwise. */
export function claudeVersion(model: CatalogModel): [major: number, minor: number] | null {
  const found = /^claude-[a-z]+-(\d+)(?:[.-](\d{1,2}))?(?:-|$)/.exec(model.id);
  return found === null ? null : [Number(found[1]), Number(found[2] ?? 0)];
}
