import type { RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import { isObject } from '../../../../formats/wire/json.ts';
import type { PermissionFacts, PermissionWords } from '../../agent-extras.ts';
import type { Adapter, PermissionResult, ToolQuestion } from './adapter.ts';
import { ChangedInputs } from './changed-input.ts';
import { toolWords } from './tool-words.ts';

/**
 * What Claude Code's own terminal tells the model about a refusal, with what the person said behind it. In these very
 * words, because the proxy tells a person's words by them.
 */
export const refusalBegins =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";

/**
 * Lets an answer to a permission request carry words and a changed input, of which the model is told. The request tells
 * which rules would allow the like and what a server says of its tool.
 */
export function bringPermissionWords(adapter: Adapter): void {
  const told = new Map<string, PermissionFacts>();
  const changed = new ChangedInputs();
  changed.tellIn(adapter);
  const said = new Map<string, PermissionWords>();

  const canUseTool = adapter.canUseTool.bind(adapter);
  adapter.canUseTool = (sessionId) => {
    const ask = canUseTool(sessionId);
    return async (name, input, question) => {
      const id = question.toolUseID;
      try {
        told.set(id, { rules: rulesOf(question), ...(await toolWords(adapter, sessionId, name)) });
        const result = await ask(name, input, question);
        const words = said.get(id);
        if (words?.words !== undefined && result.behavior === 'deny') {
          const session = adapter.sessions[sessionId];
          // The turn goes on with the words: it isn't interrupted.
          if (session) session.pendingExitPlanModeInterruption = undefined;
        }
        if (result.behavior === 'allow' && words?.input !== undefined) changed.add(name, id, words.input);
        // Claude Code may read a refusal before it is interrupted, and would ask for one more answer.
        if (result.behavior === 'deny' && words?.isStop === true && question.agentID === undefined)
          return { ...result, interrupt: true };
        return withWords(result, words);
      } finally {
        told.delete(id);
        said.delete(id);
      }
    };
  };

  const request = adapter.requestPermissionFromClient.bind(adapter);
  adapter.requestPermissionFromClient = async (params, ...more) => {
    const id = params.toolCall.toolCallId;
    const answer = await request(withFacts(params, told.get(id)), ...more);
    const words = readWords(answer._meta);
    if (words !== null) said.set(id, words);
    return answer;
  };
}

export function withWords(result: PermissionResult, words: PermissionWords | undefined): PermissionResult {
  if (result.behavior === 'deny' && words?.words !== undefined) {
    const { interrupt: _, ...rest } = result;
    return { ...rest, message: `${refusalBegins}${words.words}` };
  }
  if (result.behavior === 'allow' && words?.input !== undefined) return { ...result, updatedInput: words.input };
  return result;
}

/** `Bash(npm view *)`: as settings.json has them. Only what a question offers to allow by rule. */
export function rulesOf({ suggestions }: ToolQuestion): string[] {
  return (suggestions ?? [])
    .filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow')
    .flatMap(({ rules }) => rules ?? [])
    .map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName));
}

function withFacts(request: RequestPermissionRequest, told: PermissionFacts | undefined): RequestPermissionRequest {
  const { rules = [], ...words } = told ?? {};
  const jumpseat = { ...(rules.length > 0 && { rules }), ...words };
  return Object.keys(jumpseat).length === 0 ? request : { ...request, _meta: { ...request._meta, jumpseat } };
}

function readWords(meta: Record<string, unknown> | null | undefined): PermissionWords | null {
  const given = meta?.jumpseat;
  if (typeof given !== 'object' || given === null) return null;
  const words: PermissionWords = {};
  if ('words' in given && typeof given.words === 'string' && given.words !== '') words.words = given.words;
  if ('input' in given && isObject(given.input)) words.input = given.input;
  if ('isStop' in given && given.isStop === true) words.isStop = true;
  return words;
}
