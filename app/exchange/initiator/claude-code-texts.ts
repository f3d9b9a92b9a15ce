/**
 * What Claude Code writes into a conversation by itself. One list, so that a new release is met by adding a line here.
 * Every entry was taken from the requests of the release named beside it. `2.1.328` and `2.1.112` are Claude Code's
 * versions.
 */

/** Machine that wrote a piece of the new content. */
export type MachineKind =
  | 'notification'
  | 'continuation'
  | 'compaction'
  | 'resume'
  | 'hook'
  | 'structured-output'
  | 'tools-loaded';

export interface BlockText {
  /**
   * What the block begins with, reminders and leading blanks left out. Further in, the same words are a person quoting
   * it.
   */
  begins: string;
  /** `nothing`: an echo that says neither. `words`: a person's, whatever it looks like. */
  counts: 'nothing' | 'words' | 'marked' | MachineKind;
  /** Only if nothing follows on the same block: the text is one line that ends with its closing bracket. */
  alone?: true;
  /** Only if the block ends with one of these: words behind the last tag would be a person's. */
  closes?: readonly string[];
  /** The whole of it: what follows would be a person's. */
  whole?: true;
  seenIn: string;
}

/**
 * Claude Code's mark for words that a person typed while it was working. Inside a reminder, or at the beginning of a
 * block.
 */
export const interjectionMark = 'The user sent a new message while you were working:';

/**
 * In a refused tool's result; what follows is what the person typed. The second is what a subagent's tool gets: read in
 * the program of 2.1.328, where both are treated as a person's words.
 */
export const refusalMarks: readonly string[] = [
  'To tell you how to proceed, the user said:',
  'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the ' +
    'new_string was NOT written to the file). The user said:',
];

export const reminderOpens = '<system-reminder>';
export const reminderCloses = '</system-reminder>';

/** Text in a reminder: something finished in the background. Seen in 2.1.328. */
export const notificationBegins = '[SYSTEM NOTIFICATION - NOT USER INPUT]';
export const notificationHolds = '<task-notification>';

const echoCloses: readonly string[] = [
  '</local-command-caveat>',
  '</local-command-stdout>',
  '</local-command-stderr>',
  '</command-name>',
  '</command-message>',
  '</command-args>',
];

/** A prompt command and a shell command: what a person typed without a prompt id. */
export const typedCommandBegins: readonly string[] = ['<command-message>', '<bash-input>'];

/** A conversation that was compacted begins so. */
export const continuationBegins = 'This session is being continued from a previous conversation';

/**
 * Texts at the beginning of a block, which a person can type as well: each counts as Claude Code's only with a sign
 * that can't be typed (`decide.ts`). What begins with none of them is a person's
 * words, an unknown tag included.
 */
export const blockTexts: readonly BlockText[] = [
  { begins: interjectionMark, counts: 'marked', seenIn: '2.1.328, models 5.5' },
  { begins: '<local-command-caveat>', counts: 'nothing', closes: echoCloses, seenIn: '2.1.328' },
  { begins: '<local-command-stdout>', counts: 'nothing', closes: echoCloses, seenIn: '2.1.328' },
  { begins: '<local-command-stderr>', counts: 'nothing', closes: echoCloses, seenIn: '2.1.328' },
  // The name first is a command that ran on the machine; a prompt command has its message first.
  { begins: '<command-name>', counts: 'nothing', closes: echoCloses, seenIn: '2.1.328' },
  ...typedCommandBegins.map((begins) => ({ begins, counts: 'words' as const, seenIn: '2.1.328' })),
  { begins: '[Request interrupted by user', counts: 'nothing', alone: true, seenIn: '2.1.328' },
  // Asks again after an answer without a block; the person's words stand before it.
  { begins: '[Your previous response had no visible output.', counts: 'nothing', alone: true, seenIn: '2.1.328' },
  { begins: '[Image: source:', counts: 'nothing', alone: true, seenIn: '2.1.328' },
  { begins: continuationBegins, counts: 'continuation', seenIn: '2.1.328' },
  { begins: 'CRITICAL: Respond with TEXT ONLY', counts: 'compaction', seenIn: '2.1.328' },
  { begins: 'Your response above was cut off mid-stream', counts: 'resume', seenIn: '2.1.328' },
  { begins: 'Stop hook feedback:', counts: 'hook', seenIn: '2.1.328' },
  {
    begins:
      '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call ' +
      'this tool now.',
    counts: 'structured-output',
    whole: true,
    seenIn: '2.1.328, --json-schema',
  },
  // Once, behind the result of a search for tools that found some.
  { begins: 'Tool loaded.', counts: 'tools-loaded', whole: true, seenIn: '2.1.328' },
];

/** The tool by which a model loads tools that were named to it without their schemas. */
export const toolSearch = 'ToolSearch';

/** The tool that `--json-schema` adds. */
export const structuredOutputTool = 'StructuredOutput';

/** Text in a notification: the call that began what has finished. */
export const notifiedCall = /<tool-use-id>([^<\s]{1,200})<\/tool-use-id>/;

/** Tools by which a model starts a subagent. `Task` is the older name. */
export const agentTools: ReadonlySet<string> = new Set(['Agent', 'Task']);

/**
 * What a title, a search and a check of auto mode begin with, and all that a probe of a model says. Seen in 2.1.328.
 */
export const sideTexts = {
  title: '<session>',
  'web search': 'Perform a web search for the query:',
  'auto-mode check': '<transcript>',
  'model probe': 'Hi',
} as const;

/** Text in `system[0]` of a subagent's request. Seen in 2.1.328. */
export const subagentBillingMark = 'cc_is_subagent=true';

/** A system block of a subagent begins so. Seen in 2.1.112 and 2.1.328. */
export const subagentSystemBegins = 'You are an agent for Claude Code';

/** `stop_sequences` of the first check of a tool call in auto mode. Seen in 2.1.328. */
export const autoModeStop = '</block>';

/** `max_tokens` of the second check, which has no stop sequence. Seen in 2.1.328. */
export const autoModeSecondCheckTokens = 8192;

/**
 * Tools that Anthropic would run itself, by the beginning of their `type`. Seen in 2.1.328: web search. The rest is
 * from Anthropic's API.
 */
export const serverToolTypes: readonly string[] = [
  'web_search_',
  'web_fetch_',
  'code_execution_',
  'tool_search_tool_',
  'mcp_toolset',
];
