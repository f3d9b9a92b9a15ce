import type { JsonObject } from '../../formats/wire/json.ts';
import { asList, asObject, asText, roughTokens } from '../json.ts';
import { pagesAbout } from '../pages.ts';
import { type Answer, notOffered, type OfferedTool, type Prompt, type Thought } from '../prompt.ts';
import { type Refusal, vendorRefusal } from '../refusal.ts';

/** A rule answers, or says null and leaves it to the next. */
type Rule = (prompt: Prompt) => Thought[] | null;

/** What a simulated model says. A prompt always gets the same answer. */
export function think(prompt: Prompt): Answer {
  return limited(withThinking(thoughtsOf(prompt), prompt), prompt);
}

function thoughtsOf(prompt: Prompt): Thought[] {
  for (const rule of rules) {
    const thoughts = rule(prompt);
    if (thoughts !== null) return thoughts;
  }
  return [{ kind: 'text', text: introduction(prompt) }];
}

const rules: readonly Rule[] = [
  /** A client that tries whether a model answers at all. */
  (prompt) => (prompt.maxTokens === 1 ? [{ kind: 'text', text: 'Hi' }] : null),
  (prompt) => (prompt.schema === null ? null : [{ kind: 'text', text: JSON.stringify(fillSchema(prompt)) }]),
  (prompt) => (prompt.words.includes('CRITICAL: Respond with TEXT ONLY') ? [{ kind: 'text', text: summary }] : null),
  /** A check of a tool call: nothing is blocked here. */
  (prompt) =>
    prompt.stopSequences.includes('</block>') || prompt.system.includes('You are a security monitor')
      ? [{ kind: 'text', text: '<block>no</block>' }]
      : null,
  (prompt) => (prompt.toolChoice.kind === 'auto' ? agentTurn(prompt, thoughtsOf) : null),
  search,
  forcedCall,
  (prompt) =>
    prompt.words.startsWith('Your response above was cut off mid-stream')
      ? [{ kind: 'text', text: ' … and here the simulated answer goes on to its end.' }]
      : null,
  (prompt) => (prompt.toolChoice.kind === 'none' ? null : calls(prompt)),
  quoteResults,
  reportOfTask,
  count,
];

/**
 * `search: latest node version`, where the service searches by itself; everything is searched for where that is all a
 * request offers.
 */
function search(prompt: Prompt): Thought[] | null {
  const { hostedSearch, words, tools, results } = prompt;
  if (hostedSearch === undefined || hostedSearch === null || results.length > 0) return null;
  const asked = /(?:^|\s)search: *(.+)/.exec(words)?.[1] ?? (tools.length === 0 ? words : null);
  if (asked === null || asked === '') return null;
  const query = asked.trim().slice(0, 200);
  const pages = pagesAbout(query, hostedSearch.domains);
  const text = pages.length === 0 ? `I found nothing about ${query}.` : pages.map((page) => page.text).join('\n');
  return [{ kind: 'text', text, searched: { query, pages } }];
}

function forcedCall(prompt: Prompt): Thought[] | null {
  const choice = prompt.toolChoice;
  if (choice.kind !== 'any' && choice.kind !== 'tool') return null;
  const name = choice.kind === 'tool' ? choice.name : null;
  const asked = (calls(prompt) ?? []).filter((call) => name === null || (call.kind === 'call' && call.name === name));
  if (asked.length > 0) return asked;
  const tool = name === null ? prompt.tools[0] : findTool(prompt, name);
  return tool === undefined ? null : [{ kind: 'call', name: tool.name, input: exampleOf(tool.schema) }];
}

/** The calls that the words ask for, in their order. Null if there is none, or none of the tools is offered. */
function calls(prompt: Prompt): Thought[] | null {
  const found: Thought[] = [];
  const isSubagent = prompt.system.includes('You are an agent for Claude Code');
  const agent = isSubagent ? undefined : (findTool(prompt, 'Agent') ?? findTool(prompt, 'Task'));
  if (agent !== undefined && prompt.results.length === 0 && /\bsubagents?\b/i.test(prompt.words)) {
    found.push({ kind: 'call', name: agent.name, input: agentInput(prompt.words) });
  } else {
    found.push(...shellCalls(prompt), ...readCalls(prompt), ...namedCalls(prompt));
  }
  if (found.length === 0) return null;
  return prompt.parallel ? found : found.slice(0, 1);
}

function agentInput(words: string): unknown {
  const task = words.replace(/\bsubagents?\b[: ]*/gi, '').trim();
  return {
    description: 'Ask another agent',
    prompt: task === '' ? 'Say hello and tell which tools you have.' : task,
    subagent_type: 'general-purpose',
  };
}

/** `run: echo hi`, or RUN_TOOL for the same with a command of ours (any tool will do, where there is no Bash). */
function shellCalls(prompt: Prompt): Thought[] {
  const bash = findTool(prompt, 'Bash');
  if (bash === undefined) {
    const [first] = prompt.tools;
    const wanted = first !== undefined && prompt.words.includes('RUN_TOOL') && prompt.results.length === 0;
    return wanted ? [{ kind: 'call', name: first.name, input: exampleOf(first.schema) }] : [];
  }
  const commands = [...prompt.words.matchAll(/(?:^|\s)run: *(.+)/g)].map((found) => found[1]?.trim() ?? '');
  if (commands.length === 0 && prompt.words.includes('RUN_TOOL') && prompt.results.length === 0)
    commands.push('echo hi');
  return commands.map((command) => ({
    kind: 'call',
    name: bash.name,
    input: { command, description: 'Run the command that was asked for' },
  }));
}

/** `read: package.json`. */
function readCalls(prompt: Prompt): Thought[] {
  const read = findTool(prompt, 'Read');
  if (read === undefined) return [];
  const paths = [...prompt.words.matchAll(/(?:^|\s)read: *(\S+)/g)].map((found) => found[1] ?? '');
  return paths.map((path) => ({ kind: 'call', name: read.name, input: { file_path: path } }));
}

/** `use: get_weather {"city":"Paris"}` calls an offered tool by its name. */
function namedCalls(prompt: Prompt): Thought[] {
  const found: Thought[] = [];
  for (const [, name = '', json = ''] of prompt.words.matchAll(/(?:^|\s)use: *([\w-]+) *(\{.*\})?/g)) {
    const tool = findTool(prompt, name);
    if (tool !== undefined)
      found.push({ kind: 'call', name, input: json === '' ? exampleOf(tool.schema) : readInput(json) });
  }
  return found;
}

function readInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function quoteResults(prompt: Prompt): Thought[] | null {
  if (prompt.results.length === 0) return null;
  const { pages = [] } = prompt;
  if (pages.length > 0) {
    const said = pages.map((cited): Thought => ({ kind: 'text', text: `${cited.text}\n`, cited }));
    return [{ kind: 'text', text: 'The search found:\n' }, ...said];
  }
  const quotes = prompt.results.map((result) =>
    result.startsWith('Async agent launched')
      ? 'An agent is at work in the background. Its report will come by itself.'
      : `The tool answered: “${start(result)}”`,
  );
  const words = prompt.words === '' ? [] : [`And you said: “${start(prompt.words)}”`];
  return [{ kind: 'text', text: [...quotes, ...words].join('\n') }];
}

/** Claude Code reports a task in the background that has ended without any words of a person. */
function reportOfTask(prompt: Prompt): Thought[] | null {
  if (prompt.words !== '' || !prompt.reminders.includes('<task-notification>')) return null;
  const report = /<result>([\s\S]*?)<\/result>/.exec(prompt.reminders)?.[1] ?? prompt.reminders;
  return [{ kind: 'text', text: `The agent in the background has reported: “${start(report)}”` }];
}

/** `count to 50`: a long answer. */
function count(prompt: Prompt): Thought[] | null {
  const upTo = Number(/\bcount to (\d{1,6})\b/i.exec(prompt.words)?.[1] ?? 0);
  if (upTo === 0) return null;
  return [{ kind: 'text', text: Array.from({ length: upTo }, (_, at) => at + 1).join(', ') }];
}

function withThinking(thoughts: Thought[], prompt: Prompt): Thought[] {
  if (!prompt.thinks || !/\bthink\b/i.test(prompt.words) || prompt.results.length > 0) return thoughts;
  const thought = `I am asked: ${start(prompt.words)} A simulated model weighs its words only for show.`;
  return [{ kind: 'thinking', text: thought }, ...thoughts];
}

/** Cuts at a stop sequence and at `max_tokens`, as the real one does. */
function limited(thoughts: Thought[], prompt: Prompt): Answer {
  const kept: Thought[] = [];
  let left = prompt.maxTokens ?? Number.POSITIVE_INFINITY;
  for (const thought of thoughts) {
    if (thought.kind === 'text') {
      const sequence = firstOf(prompt.stopSequences, thought.text);
      const whole = sequence === null ? thought.text : thought.text.slice(0, thought.text.indexOf(sequence));
      const text = whole.slice(0, left * 4);
      if (text !== '') kept.push({ ...thought, text });
      if (text.length < whole.length) return { thoughts: kept, stop: 'length', sequence: null };
      if (sequence !== null) return { thoughts: kept, stop: 'sequence', sequence };
    } else {
      kept.push(thought);
    }
    left -= roughTokens(thought.kind === 'call' ? thought.input : thought.text);
    if (left <= 0) return { thoughts: kept, stop: 'length', sequence: null };
  }
  return { thoughts: kept, stop: kept.some((thought) => thought.kind === 'call') ? 'calls' : 'end', sequence: null };
}

function firstOf(sequences: readonly string[], text: string): string | null {
  const found = sequences.filter((sequence) => sequence !== '' && text.includes(sequence));
  found.sort((one, other) => text.indexOf(one) - text.indexOf(other));
  return found[0] ?? null;
}

function findTool(prompt: Prompt, name: string): OfferedTool | undefined {
  return prompt.tools.find((tool) => tool.name === name);
}

function start(text: string): string {
  const line = text.trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

const summary = [
  '<analysis>',
  'The conversation so far was held with a simulated model.',
  '</analysis>',
  '<summary>',
  '1. The person tried Jumpseat with the simulator.',
  '2. Nothing is left to do.',
  '</summary>',
].join('\n');

function introduction(prompt: Prompt): string {
  const names = prompt.tools.map((tool) => tool.name);
  const tools = names.length === 0 ? 'no tools' : `${names.length} tools (${names.join(', ')})`;
  return [
    `This is the simulated Copilot on your own machine, in the place of ${prompt.model}. No model is behind ` +
      'it and nothing leaves this computer.',
    '',
    `You asked: “${start(prompt.words)}”. I was offered ${tools}.`,
    '',
    'Things to try: `run: echo hi`, `read: package.json`, `subagent: run: ls`, `think about it`, `count to 50`.',
    'And lines that begin with `step: `, for a turn of several answers: `step: read: package.json`, ' +
      '`step: edit: a.txt | old | new`, `step: ask: Which one? | This | That`, `step: plan: First this`, ' +
      '`step: fail: 402 No credits`.',
  ].join('\n');
}

/** A title is made from the first words of the session; any other schema gets an example of its own. */
function fillSchema(prompt: Prompt): unknown {
  const properties = asObject(prompt.schema?.properties);
  if (Object.keys(properties).join() !== 'title') return exampleOf(prompt.schema ?? {});
  const session = /<session>\s*([\s\S]*?)\s*<\/session>/.exec(prompt.words)?.[1] ?? prompt.words;
  const title = session.split(/\s+/).slice(0, 6).join(' ');
  return { title: title === '' ? 'A simulated session' : title };
}

/** The smallest value that a JSON schema takes, as far as a simple schema goes. */
function exampleOf(schema: JsonObject): unknown {
  const [first] = asList(schema.enum);
  if (first !== undefined) return first;
  if ('const' in schema) return schema.const;
  switch (schema.type) {
    case 'string':
      return 'example';
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [];
    default:
      return exampleObject(schema);
  }
}

function exampleObject(schema: JsonObject): JsonObject {
  const properties = asObject(schema.properties);
  const filled: JsonObject = {};
  for (const name of asList(schema.required)) {
    const key = asText(name);
    if (key !== null) filled[key] = exampleOf(asObject(properties[key]));
  }
  return filled;
}

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
function agentTurn(prompt: Prompt, asPrompt: (prompt: Prompt) => Thought[]): Thought[] | null {
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
