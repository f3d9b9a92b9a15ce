import type { FitNote } from '../../api/exchange.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { Notes } from '../../formats/translation/note.ts';
import { filterBetas } from './betas.ts';
import { limitCacheMarks, removeCacheScope, removeCacheScopeOfTool, removeTopLevelCacheMark } from './cache.ts';
import {
  clampEfforts,
  clampMaxTokens,
  countOnly,
  refuseMalformed,
  refuseSafeguards,
  removeLearnedFields,
  removeMetadata,
  removeRefusedFields,
  removeSamplingValues,
  sendResolvedModel,
  streamUpstream,
} from './fields.ts';
import type { Fit, FitContext, Refusal } from './fit.ts';
import {
  countImages,
  leaveOutUnfitImages,
  limitImages,
  refuseLargeImages,
  refusePdf,
  refuseUrlSources,
  replaceFileReferences,
} from './images.ts';
import { removeSearchCitations, removeServerTools, serverToolBlocksAsText } from './server-tools.ts';
import { dropEmptySystem, foldSystemMessages, removeAttribution, systemAsBlocks } from './system.ts';
import {
  adaptiveThinkingToBudget,
  budgetThinkingToAdaptive,
  clampThinkingBudget,
  dropForeignThinking,
  dropRefusedThinking,
  dropThinkingForForcedTool,
  removeClearThinkingEdits,
  removeThinkingDisplay,
} from './thinking.ts';
import {
  addMissingToolResults,
  renameDuplicateToolIds,
  strayToolResultsAsText,
  toolResultsFirst,
} from './tool-results.ts';
import {
  completeToolSchema,
  loadReferencedTool,
  refuseTooManyTools,
  removeToolFields,
  toolReferenceAsText,
} from './tools.ts';
import { continueAfterPrefill, dropEmptyMessages, dropEmptyText, otherRolesAsUser } from './turns.ts';
import { walkBlocks, walkTools } from './walk.ts';

export type { FitContext, Refusal } from './fit.ts';

type Fitted = { ok: true; request: MessagesRequest; betas: string[]; notes: FitNote[]; vision: boolean } | Refusal;

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
    removeSearchCitations,
    removeCacheScope,
    dropEmptyText,
  ]),
  dropEmptySystem,
  // Folding may fill a message that has become empty; only then do the empty ones leave, and only then do calls and
  // results have their places.
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
  clampEfforts,
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
  otherRolesAsUser,
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
  clampEfforts,
  streamUpstream,
  countOnly,
];

/**
 * Everything that is changed so that Copilot accepts a Messages request, in the order above. Pure; the request that was
 * given is never written to, and what was not changed is shared with it. `betas` is empty where no header is sent.
 */
export function fitMessages(request: MessagesRequest, context: FitContext): Fitted {
  const notes = new Notes();
  let fitted = request;
  for (const step of context.path === '/v1/messages' ? native : translated) {
    const result = step(fitted, context);
    if (!result.ok) return result;
    fitted = result.request;
    for (const { code, text, count } of result.notes) notes.add(code, text, count);
  }
  // The other formats know no betas: their fields are translated or dropped by name.
  const betas = context.path === '/v1/messages' ? filterBetas(context.betas, fitted) : { betas: [], notes: [] };
  for (const { code, text, count } of betas.notes) notes.add(code, text, count);
  return { ok: true, request: fitted, betas: betas.betas, notes: notes.list(), vision: countImages(fitted) > 0 };
}
