import type { FitNote } from '../../api/exchange.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { adaptiveThinkingToBudget } from './adaptive-thinking-to-budget.ts';
import { addMissingToolResults } from './add-missing-tool-results.ts';
import { budgetThinkingToAdaptive } from './budget-thinking-to-adaptive.ts';
import { clampEffort } from './clamp-effort.ts';
import { clampMaxTokens } from './clamp-max-tokens.ts';
import { clampThinkingBudget } from './clamp-thinking-budget.ts';
import { completeToolSchema } from './complete-tool-schema.ts';
import { continueAfterPrefill } from './continue-after-prefill.ts';
import { countImages } from './count-images.ts';
import { countOnly } from './count-only.ts';
import { dropEmptyMessages } from './drop-empty-messages.ts';
import { dropEmptySystem } from './drop-empty-system.ts';
import { dropEmptyText } from './drop-empty-text.ts';
import { dropForeignThinking } from './drop-foreign-thinking.ts';
import { dropRefusedThinking } from './drop-refused-thinking.ts';
import { dropThinkingForForcedTool } from './drop-thinking-for-forced-tool.ts';
import { filterBetas } from './filter-betas.ts';
import type { Fit, FitContext, Refusal } from './fit.ts';
import { foldSystemMessages } from './fold-system-messages.ts';
import { leaveOutUnfitImages } from './leave-out-unfit-images.ts';
import { limitCacheMarks } from './limit-cache-marks.ts';
import { limitImages } from './limit-images.ts';
import { loadReferencedTool, toolReferenceAsText } from './load-referenced-tools.ts';
import { mergeNotes } from './merge-notes.ts';
import { refuseLargeImages } from './refuse-large-images.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import { refusePdf } from './refuse-pdf.ts';
import { refuseSafeguards } from './refuse-safeguards.ts';
import { refuseTooManyTools } from './refuse-too-many-tools.ts';
import { refuseUrlSources } from './refuse-url-sources.ts';
import { removeAttribution } from './remove-attribution.ts';
import { removeCacheScope, removeCacheScopeOfTool } from './remove-cache-scope.ts';
import { removeClearThinkingEdits } from './remove-clear-thinking-edits.ts';
import { removeLearnedFields } from './remove-learned-fields.ts';
import { removeMetadata } from './remove-metadata.ts';
import { removeRefusedFields } from './remove-refused-fields.ts';
import { removeSamplingValues } from './remove-sampling-values.ts';
import { removeServerTools } from './remove-server-tools.ts';
import { removeThinkingDisplay } from './remove-thinking-display.ts';
import { removeToolFields } from './remove-tool-fields.ts';
import { removeTopLevelCacheMark } from './remove-top-level-cache-mark.ts';
import { renameDuplicateToolIds } from './rename-duplicate-tool-ids.ts';
import { replaceFileReferences } from './replace-file-references.ts';
import { sendResolvedModel } from './send-resolved-model.ts';
import { serverToolBlocksAsText } from './server-tool-blocks-as-text.ts';
import { strayToolResultsAsText } from './stray-tool-results-as-text.ts';
import { streamUpstream } from './stream-upstream.ts';
import { systemAsBlocks } from './system-as-blocks.ts';
import { toolResultsFirst } from './tool-results-first.ts';
import { walkBlocks } from './walk-blocks.ts';
import { walkTools } from './walk-tools.ts';

export { splitBetas } from './filter-betas.ts';
export type { FitContext, Refusal } from './fit.ts';

export type Fitted =
  | { ok: true; request: MessagesRequest; betas: string[]; notes: FitNote[]; vision: boolean }
  | Refusal;

/** Copilot's own Messages route. */
const native: readonly Fit[] = [
  // What is refused or removed whatever the rest says.
  refuseMalformed,
  refuseSafeguards,
  refuseLargeImages,
  sendResolvedModel,
  removeMetadata,
  removeRefusedFields,
  removeLearnedFields,
  removeTopLevelCacheMark,
  // The system is a list from here on, without its first line, before its blocks are looked at.
  systemAsBlocks,
  removeAttribution,
  removeServerTools,
  walkTools([removeToolFields, completeToolSchema, removeCacheScopeOfTool, loadReferencedTool]),
  // Blocks that become text come before the empty ones leave.
  walkBlocks([
    refuseUrlSources,
    replaceFileReferences,
    leaveOutUnfitImages,
    dropRefusedThinking,
    dropForeignThinking,
    toolReferenceAsText,
    serverToolBlocksAsText,
    removeCacheScope,
    dropEmptyText,
  ]),
  dropEmptySystem,
  // Folding may fill a message that has become empty; only then do the empty ones leave, and only then do calls and results have their places.
  foldSystemMessages,
  dropEmptyMessages,
  renameDuplicateToolIds,
  strayToolResultsAsText,
  toolResultsFirst,
  addMissingToolResults,
  continueAfterPrefill,
  limitImages,
  // The budget depends on max_tokens, the sampling values and edits on whether it still thinks.
  clampMaxTokens,
  removeThinkingDisplay,
  dropThinkingForForcedTool,
  budgetThinkingToAdaptive,
  adaptiveThinkingToBudget,
  clampThinkingBudget,
  removeClearThinkingEdits,
  removeSamplingValues,
  clampEffort,
  // Marks have moved with the folded messages.
  limitCacheMarks,
  streamUpstream,
  countOnly,
];

/** Copilot's Chat Completions and Responses, before the translation: only what the translation cannot know. */
const translated: readonly Fit[] = [
  refuseMalformed,
  refuseSafeguards,
  refuseLargeImages,
  sendResolvedModel,
  removeMetadata,
  removeLearnedFields,
  systemAsBlocks,
  removeAttribution,
  removeServerTools,
  walkBlocks([
    refuseUrlSources,
    refusePdf,
    replaceFileReferences,
    leaveOutUnfitImages,
    dropRefusedThinking,
    serverToolBlocksAsText,
    dropEmptyText,
  ]),
  dropEmptySystem,
  foldSystemMessages,
  dropEmptyMessages,
  renameDuplicateToolIds,
  strayToolResultsAsText,
  toolResultsFirst,
  addMissingToolResults,
  continueAfterPrefill,
  refuseTooManyTools,
  limitImages,
  clampMaxTokens,
  clampEffort,
  streamUpstream,
  countOnly,
];

/**
 * Everything that is changed so that Copilot accepts a Messages request, in the order above. Pure; the request that was given is never
 * written to, and what was not changed is shared with it. `betas` is empty where no header is sent.
 */
export function fitMessages(request: MessagesRequest, context: FitContext): Fitted {
  const notes: FitNote[] = [];
  let fitted = request;
  for (const step of context.path === '/v1/messages' ? native : translated) {
    const result = step(fitted, context);
    if (!result.ok) return result;
    fitted = result.request;
    for (const note of result.notes) notes.push(note);
  }
  // The other formats know no betas: their fields are translated or dropped by name.
  const betas = context.path === '/v1/messages' ? filterBetas(context.betas, fitted) : { betas: [], notes: [] };
  notes.push(...betas.notes);
  return { ok: true, request: fitted, betas: betas.betas, notes: mergeNotes(notes), vision: countImages(fitted) > 0 };
}
