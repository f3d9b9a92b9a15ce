import { notOffered, type Prompt, type Thought } from '../prompts/prompt.ts';
import { type Refusal, vendorRefusal } from '../refusal.ts';

/**
 * A long turn on request. Each line `step: …` of a prompt is one answer of the model, in their order, each after the
 * results of the one before; then the turn ends by itself. A step is anything that a prompt may ask for (`read: a.txt`,
 * `run: ls`, `use: Tool {…}`, `subagent: run: ls`, `count to 50`), words to be said, or one of:
 *
 * | step | is |
 * |---|---|
 * | `write: PATH \| TEXT` | a file that is written |
 * | `edit: PATH \| OLD \| NEW` | a file that is edited |
 * | `search: WORDS` | a search of the web |
 * | `ask: QUESTION \| ONE \| OTHER` | a question with choices |
 * | `plan: TEXT` | a plan that is to be approved |
 * | `todo: ONE \| OTHER` | a list of tasks |
 * | `fail: STATUS WORDS` | a request that is refused |
 *
 * A step whose tool is not offered says so, and the next one comes in the same answer.
 */
export function agentTurn(prompt: Prompt, asPrompt: (prompt: Prompt) => Thought[]): Thought[] | null {
  const steps = stepsOf(prompt);
  if (steps.length === 0) return null;
  const step = steps[prompt.turn?.answers ?? 0];
  if (step === undefined) return [{ kind: 'text', text: `That was the last of ${steps.length} steps.` }];
  const [, name = '', rest = ''] = /^(\w+): *(.*)$/.exec(step) ?? [];
  const made = makers[name]?.(
    rest.split('|').map((part) => part.trim()),
    prompt,
  );
  if (made === undefined) return asPrompt({ ...prompt, words: step, results: [], turn: null });
  const isOffered = (name: string): boolean => prompt.tools.some((offered) => offered.name === name);
  const missing = made.find(({ tool }) => !isOffered(tool))?.tool;
  if (missing !== undefined && isOffered('ToolSearch') && prompt.turn?.hasLooked !== true) {
    return [{ kind: 'call', name: 'ToolSearch', input: { query: `select:${missing}`, max_results: 5 } }];
  }
  if (missing !== undefined) {
    const said: Thought = { kind: 'text', text: `${notOffered} ${missing}.` };
    const { turn } = prompt;
    const isLast = turn == null || steps[turn.answers + 1] === undefined;
    if (isLast) return [said];
    return [said, ...(agentTurn({ ...prompt, turn: { ...turn, answers: turn.answers + 1 } }, asPrompt) ?? [])];
  }
  return made.map(({ tool, input }) => ({ kind: 'call', name: tool, input }));
}

/** The refusal that the step asks for; null if it is answered. */
export function refusedStep(prompt: Prompt): Refusal | null {
  const step = stepsOf(prompt)[prompt.turn?.answers ?? 0] ?? '';
  const [, status, words = ''] = /^fail: *(\d{3}) *(.*)$/.exec(step) ?? [];
  if (status === undefined) return null;
  return vendorRefusal(words === '' ? 'The simulated model was asked to fail.' : words, 'api_error', Number(status));
}

interface Call {
  tool: string;
  input: unknown;
}

const makers: Readonly<Record<string, (parts: string[], prompt: Prompt) => Call[]>> = {
  write: ([path = '', content = '']) => [{ tool: 'Write', input: { file_path: path, content } }],
  edit: ([path = '', before = '', after = '']) => [
    { tool: 'Edit', input: { file_path: path, old_string: before, new_string: after } },
  ],
  search: ([query = '']) => [{ tool: 'WebSearch', input: { query } }],
  ask: ([question = '', ...labels]) => {
    const options = labels.map((label) => ({ label, description: `The answer is ${label}` }));
    return [
      { tool: 'AskUserQuestion', input: { questions: [{ question, header: 'Choice', options, multiSelect: false }] } },
    ];
  },
  plan: ([plan = '']) => [{ tool: 'ExitPlanMode', input: { plan } }],
  todo: (subjects, { tools }) => {
    const isWhole = tools.some(({ name }) => name === 'TodoWrite');
    const todos = subjects.map((content) => ({ content, activeForm: content, status: 'pending' }));
    if (isWhole) return [{ tool: 'TodoWrite', input: { todos } }];
    return subjects.map((subject) => ({ tool: 'TaskCreate', input: { subject, description: subject } }));
  },
};

function stepsOf(prompt: Prompt): string[] {
  const words = prompt.turn?.words ?? prompt.words;
  return [...words.matchAll(/^\s*step: *(.+)$/gm)].map(([, step = '']) => step.trim());
}
