import type { FitNote } from '../../api/exchange.ts';
import type { MessagesRequest } from '../../formats/messages/request.ts';
import { together } from '../../formats/translation/note.ts';
import { isObject } from '../../formats/wire/json.ts';
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
import { type Fit, type FitContext, fitsFor, type Refusal, type Step, type Subject } from './fit.ts';
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
import {
  continueAfterPrefill,
  dropEmptyMessages,
  dropEmptySystem,
  dropEmptyText,
  foldSystemMessages,
  otherRolesAsUser,
  removeAttribution,
  systemAsBlocks,
} from './turns.ts';
import { walkBlocks, walkTools } from './walk.ts';

export type { FitContext, Refusal } from './fit.ts';

type Fitted = { ok: true; request: MessagesRequest; betas: string[]; notes: FitNote[]; vision: boolean } | Refusal;

/** Puts results where their calls require them. */
const placesOfResults: readonly Fit[] = [
  renameDuplicateToolIds,
  strayToolResultsAsText,
  toolResultsFirst,
  addMissingToolResults,
];

/** Copilot's own Messages route. */
const native: readonly Step<Fit>[] = [
  // What is refused or removed whatever the rest says.
  { fits: [refuseSafeguards] },
  { about: 'images', fits: [refuseLargeImages] },
  { fits: [sendResolvedModel, removeMetadata, removeRefusedFields] },
  { about: 'lessons', fits: [removeLearnedFields] },
  { about: 'cache marks', fits: [removeTopLevelCacheMark] },
  // The system is a list from here on, without its first line, before its blocks are looked at.
  { fits: [systemAsBlocks, removeAttribution] },
  { about: 'server tools', fits: [removeServerTools] },
  {
    fits: [
      walkTools([
        { fits: [removeToolFields, completeToolSchema] },
        { about: 'cache marks', fits: [removeCacheScopeOfTool] },
        { fits: [loadReferencedTool] },
      ]),
      // Blocks that become text come before the empty ones leave.
      walkBlocks([
        { about: 'images', fits: [refuseUrlSources, replaceFileReferences, leaveOutUnfitImages] },
        { about: 'thinking', fits: [dropRefusedThinking, dropForeignThinking] },
        { about: 'tool calls', fits: [toolReferenceAsText] },
        { about: 'server tools', fits: [serverToolBlocksAsText, removeSearchCitations] },
        { about: 'cache marks', fits: [removeCacheScope] },
        { fits: [dropEmptyText] },
      ]),
      dropEmptySystem,
    ],
  },
  // Folding may fill a message that has become empty; only then do the empty ones leave, and only then do calls and
  // results have their places.
  { about: 'system messages', fits: [foldSystemMessages] },
  { fits: [dropEmptyMessages] },
  { about: 'tool calls', fits: placesOfResults },
  { fits: [continueAfterPrefill] },
  { about: 'images', fits: [limitImages] },
  // The budget depends on max_tokens, the sampling values and edits on whether it still thinks.
  { fits: [clampMaxTokens] },
  {
    about: 'thinking',
    fits: [
      removeThinkingDisplay,
      dropThinkingForForcedTool,
      budgetThinkingToAdaptive,
      adaptiveThinkingToBudget,
      clampThinkingBudget,
      removeClearThinkingEdits,
      removeSamplingValues,
    ],
  },
  { about: 'efforts', fits: [clampEfforts] },
  // Marks have moved with the folded messages.
  { about: 'cache marks', fits: [limitCacheMarks] },
  { fits: [streamUpstream, countOnly] },
];

/** Copilot's Chat Completions and Responses, before the translation: only what the translation cannot know. */
const translated: readonly Step<Fit>[] = [
  { fits: [refuseSafeguards] },
  { about: 'images', fits: [refuseLargeImages] },
  { fits: [sendResolvedModel, removeMetadata] },
  { about: 'lessons', fits: [removeLearnedFields] },
  { fits: [otherRolesAsUser, systemAsBlocks, removeAttribution] },
  { about: 'server tools', fits: [removeServerTools] },
  {
    fits: [
      walkBlocks([
        { about: 'images', fits: [refuseUrlSources, refusePdf, replaceFileReferences, leaveOutUnfitImages] },
        { about: 'thinking', fits: [dropRefusedThinking] },
        { about: 'server tools', fits: [serverToolBlocksAsText] },
        { fits: [dropEmptyText] },
      ]),
      dropEmptySystem,
    ],
  },
  { about: 'system messages', fits: [foldSystemMessages] },
  { fits: [dropEmptyMessages] },
  { about: 'tool calls', fits: placesOfResults },
  { fits: [continueAfterPrefill] },
  { fits: [refuseTooManyTools] },
  { about: 'images', fits: [limitImages] },
  { fits: [clampMaxTokens] },
  { about: 'efforts', fits: [clampEfforts] },
  { fits: [streamUpstream, countOnly] },
];

/**
 * Everything that is changed so that Copilot accepts a Messages request, in the order above. Pure; the request that was
 * given is never written to, and what was not changed is shared with it. `betas` is empty where no header is sent.
 */
export function fitMessages(request: MessagesRequest, context: FitContext): Fitted {
  const sound = refuseMalformed(request);
  if (!sound.ok) return sound;
  let fitted = sound.request;
  const found = subjectsOf(fitted);
  if (context.learned !== undefined) found.add('lessons');
  const said: FitNote[] = [];
  for (const fit of fitsFor(context.path === '/v1/messages' ? native : translated, found)) {
    const result = fit(fitted, context, found);
    if (!result.ok) return result;
    fitted = result.request;
    said.push(...result.notes);
  }
  // The other formats know no betas: their fields are translated or dropped by name.
  const asked = context.path === '/v1/messages' && context.betas.length > 0;
  const { betas, notes } = asked ? filterBetas(context.betas, fitted) : { betas: [], notes: [] };
  said.push(...notes);
  const vision = found.has('images') && countImages(fitted) > 0;
  return { ok: true, request: fitted, betas, notes: said.length === 0 ? said : together(said), vision };
}

/** What there is in it, however deep. No fit puts in what an earlier step would be about. */
function subjectsOf(request: MessagesRequest): Set<Subject> {
  const found = new Set<Subject>();
  if (request.thinking !== undefined || request.context_management !== undefined) found.add('thinking');
  if (request.cache_control !== undefined) found.add('cache marks');
  for (const tool of request.tools ?? []) {
    if (tool.cache_control !== undefined) found.add('cache marks');
    if (typeof tool.type === 'string') found.add('server tools');
  }
  if (request.output_config !== undefined) found.add('efforts');
  const lists: unknown[] = [request.system];
  for (const { role, content, output_config: output } of request.messages) {
    lists.push(content);
    if (role === 'system') found.add('system messages');
    if (output !== undefined) found.add('efforts');
  }
  // Grows while it is read: blocks hold lists.
  for (const blocks of lists) {
    if (!Array.isArray(blocks)) continue;
    for (const block of blocks) {
      if (!isObject(block)) continue;
      const { type, source, content } = block;
      if (type !== 'text')
        found.add(typeof type === 'string' ? (subjects.get(type) ?? 'server tools') : 'server tools');
      if (block.citations !== undefined) found.add('server tools');
      if (block.cache_control !== undefined) found.add('cache marks');
      // Any block may have a file as its source.
      if (source !== undefined) found.add('images');
      if (isObject(source)) lists.push(source.content);
      if (Array.isArray(content)) lists.push(content);
    }
  }
  return found;
}

/** Words for types of blocks. Other types come from tools of servers, or are unknown. */
const subjects: ReadonlyMap<string, Subject> = new Map([
  ['tool_use', 'tool calls'],
  ['tool_result', 'tool calls'],
  ['tool_reference', 'tool calls'],
  ['thinking', 'thinking'],
  ['redacted_thinking', 'thinking'],
  ['image', 'images'],
  ['document', 'images'],
  ['container_upload', 'images'],
]);
