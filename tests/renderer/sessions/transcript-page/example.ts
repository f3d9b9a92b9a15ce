import type { TurnCost } from '../../../../app/api/sessions.ts';
import type {
  Block,
  Conversation,
  Lane,
  Step,
  StepContent,
  TextBlock,
  Turn,
} from '../../../../renderer/sessions/state/conversation.ts';

/** 20 Nov 2026, 10:39:41 UTC. */
export const began = Date.UTC(2026, 10, 20, 10, 39, 41);

export const cost: TurnCost = {
  ...{ nanoAiu: 4_958_000_000, premiumRequests: 0, isPartlyUnknown: false, running: 0 },
  ...{ user: 1, agent: 3, input: 4_205, cached: 25_321, output: 470 },
};

export function conversation(turns: readonly Turn[], change: Partial<Conversation> = {}): Conversation {
  return {
    ...{
      sessionId: 'session',
      turns,
      hasOlder: false,
      tasks: null,
      questions: [],
      steering: [],
      last: 0,
      unplaced: [],
    },
    ...change,
  };
}

export function turn(id: string, blocks: readonly Block[], change: Partial<Turn> = {}): Turn {
  return {
    ...{ id, number: 1, prompt: [{ type: 'text', text: `Prompt of ${id}` }], begunBy: 'prompt', initiator: 'user' },
    task: null,
    ...{
      state: 'done',
      tasks: null,
      startedAt: began,
      firstWordAt: began + 1_240,
      endedAt: began + 184_000,
      problem: null,
      askedAtEnd: null,
      cost,
    },
    ...{ requestIds: [], promptIds: [], models: [], canFork: true, blocks },
    ...change,
  };
}

export function text(id: string, words: string, isOpen = false): TextBlock {
  return { kind: 'text', id, message: null, text: words, isOpen };
}

export function step(id: string, change: Partial<Step>): Step {
  return {
    ...{
      kind: 'step',
      id,
      stepKind: 'other',
      state: 'done',
      tool: '',
      title: '',
      input: null,
      inputAsked: null,
      content: [],
    },
    ...{ rawOutput: null, response: null, exitCode: null, tasks: null, locations: [], startedAt: began },
    ...{ endedAt: began + 900, answered: null, lane: null, undone: [], changed: null, cuts: [] },
    ...change,
  };
}

/** As Claude Code gives a web search to its model. */
export function searched(query: string, results: readonly { title: string; url: string }[], words: string): Step {
  const links = `Links: ${JSON.stringify(results)}`;
  const reminder = 'REMINDER: You MUST include the sources above in your response to the user.';
  const content = said(`Web search results for query: "${query}"\n\n${links}\n\n${words}\n\n\n${reminder}`);
  return step('s', { stepKind: 'web', tool: 'WebSearch', input: { query }, content });
}

export function said(words: string): StepContent[] {
  return [{ type: 'text', text: words }];
}

export function shell(id: string, command: string, output: string, change: Partial<Step> = {}): Step {
  return step(id, {
    stepKind: 'shell',
    tool: 'Bash',
    title: command,
    input: { command },
    content: said(output),
    exitCode: 0,
    ...change,
  });
}

export function read(id: string, path: string, change: Partial<Step> = {}): Step {
  return step(id, {
    stepKind: 'read',
    tool: 'Read',
    title: path,
    input: { file_path: path },
    content: said('a\nb\n'),
    ...change,
  });
}

export function edit(id: string, path: string, before: string, after: string, change: Partial<Step> = {}): Step {
  const content: StepContent[] = [{ type: 'diff', path, oldText: before, newText: after }];
  return step(id, {
    stepKind: 'edit',
    tool: 'Edit',
    title: path,
    input: { file_path: path },
    content,
    locations: [{ path, line: 40 }],
    ...change,
  });
}

export function lane(change: Partial<Lane>): Lane {
  return {
    ...{ id: 'child', type: 'Explore', task: null, isBackground: false, blocks: [], steps: 0 },
    nanoAiu: null,
    ...change,
  };
}
