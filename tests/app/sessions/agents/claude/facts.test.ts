import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it } from 'vitest';
import { claudeFacts } from '../../../../../app/sessions/agents/claude/facts.ts';

const raw = (message: Record<string, unknown>) => claudeFacts.factOf('_claude/sdkMessage', { sessionId: 's', message });
const answered = (toolName: string, toolResponse: unknown): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'tool',
  _meta: { claudeCode: { toolName, toolResponse } },
});
const editOf = (toolName: string, toolResponse: unknown) => claudeFacts.editOf(answered(toolName, toolResponse));

describe('an option that Claude Code would write into settings', () => {
  const ask = (name: string, rawInput: object, rules: string[] = []) =>
    claudeFacts.lastingRule(
      {
        ...{ sessionId: 's', options: [], toolCall: { toolCallId: 't', name, rawInput } },
        _meta: { jumpseat: { rules } },
      },
      'allow-with-updates',
    );
  const bash = (command: string, ...rules: string[]) => ask('Bash', { command }, rules);
  const exactly = (input: string) => ({ tool: 'Bash', input, isExact: true });
  const any = (tool: string) => ({ tool, input: null, isExact: false });

  it.each([
    ['a command', bash('touch made', 'Bash(touch made)'), exactly('touch made')],
    ['with arguments', bash('npm view x', 'Bash(npm view *)'), { tool: 'Bash', input: 'npm view', isExact: false }],
    ['as older ones', bash('npm test', 'Bash(npm test:*)'), { tool: 'Bash', input: 'npm test', isExact: false }],
    ['two commands', bash('npm a && npm b', 'Bash(npm a:*)', 'Bash(npm b:*)'), exactly('npm a && npm b')],
    ['a second one', bash('npm a; rm x', 'Bash(npm a:*)'), exactly('npm a; rm x')],
    ['another one', bash('npm test', 'Bash(rm *)'), exactly('npm test')],
    ['a folder besides', bash('cat /etc/x', 'Read(//etc/**)'), exactly('cat /etc/x')],
    ['a long one', bash(`${'a'.repeat(90)} b`, `Bash(${'a'.repeat(90)} *)`), exactly(`${'a'.repeat(90)} b`)],
    ['without the sandbox', ask('Bash', { command: 'x', dangerouslyDisableSandbox: true }), 'none'],
    ['a tool of a server', ask('mcp__s__t', { a: 1 }), any('mcp__s__t')],
    ['searches', ask('WebSearch', { query: 'x' }), any('WebSearch')],
    ['pages of one host', ask('WebFetch', { url: 'https://example.com' }), 'none'],
    ['files of one folder', ask('Read', { file_path: '/etc/x' }), 'none'],
    ['edits, by a mode', ask('Edit', { file_path: '/x' }), null],
  ])('is a rule of the session: %s', (_, rule, wanted) => expect(rule).toEqual(wanted));

  it('is no other option', () => {
    const request = {
      sessionId: 's',
      options: [],
      toolCall: { toolCallId: 't', name: 'Bash', rawInput: { command: 'x' } },
    };
    for (const id of ['allow-once', 'reject', 'exit-plan-auto', 'exit-plan-default']) {
      expect(claudeFacts.lastingRule(request, id)).toBeNull();
    }
    expect(
      claudeFacts.lastingRule({ ...request, toolCall: { toolCallId: 't', name: 'Skill' } }, 'allow-skill-exact'),
    ).toBe('none');
  });
});

describe('raw messages of the Agent SDK', () => {
  it('tell of whole messages, with their ids and the row of the log', () => {
    const message = { type: 'assistant', message: { id: 'msg_1', content: [] }, uuid: 'u1', request_id: 'req_1' };
    const fact = { kind: 'message', sessionId: 's', messageId: 'msg_1', transcriptId: 'u1', requestId: 'req_1' };
    expect(raw({ ...message, parent_tool_use_id: null })).toEqual({ ...fact, isSubagent: false });
    expect(raw({ ...message, parent_tool_use_id: 'tool' })).toEqual({ ...fact, isSubagent: true });
  });

  it('tell of prompts that are taken up, of the mode in force, and of work', () => {
    const lifecycle = { type: 'command_lifecycle', command_uuid: 'p1' };
    expect(raw({ ...lifecycle, state: 'started' })).toEqual({ kind: 'prompt', sessionId: 's', promptId: 'p1' });
    expect(raw({ ...lifecycle, state: 'queued' })).toBeNull();
    const status = { type: 'system', subtype: 'status', status: null, permissionMode: 'acceptEdits' };
    expect(raw(status)).toEqual({ kind: 'mode', sessionId: 's', mode: 'acceptEdits' });
    const state = (state: string) => raw({ type: 'system', subtype: 'session_state_changed', state });
    expect(state('idle')).toEqual({ kind: 'working', sessionId: 's', isWorking: false });
    expect(state('running')).toEqual({ kind: 'working', sessionId: 's', isWorking: true });
  });

  it('tell of what begins with a turn, and of what runs in the background', () => {
    const plugins = [
      { name: 'demo', path: '/plug', version: '1.0.0', source: 'demo@market' },
      { name: 'own', path: 'builtin' },
    ];
    const more = {
      plugin_errors: [{ plugin: 'inline[0]', type: 'path-not-found', message: 'Not found.', path: '/gone' }, 7],
      mcp_servers: [{ name: 'forms', status: 'failed', source: 'sdk' }, {}],
    };
    expect(raw({ type: 'system', subtype: 'init', permissionMode: 'plan', plugins, ...more })).toEqual({
      ...{ kind: 'begun', sessionId: 's', mode: 'plan' },
      pluginErrors: [{ plugin: 'inline[0]', path: '/gone', message: 'Not found.' }],
      servers: [{ name: 'forms', state: 'failed' }],
      plugins: [{ id: 'demo@market', name: 'demo', path: '/plug', version: '1.0.0', isOn: true }],
    });
    const tasks = [
      { task_id: 'a', task_type: 'local_agent', description: 'Looks' },
      { task_id: 'b', task_type: 'workflow', description: 'Works' },
      { task_id: 'c', task_type: 'monitor', description: 'Watches', ambient: true },
      null,
    ];
    expect(raw({ type: 'system', subtype: 'background_tasks_changed', tasks })).toEqual({
      ...{ kind: 'tasks', sessionId: 's' },
      tasks: [
        { id: 'a', kind: 'subagent', title: 'Looks' },
        { id: 'b', kind: 'other', title: 'Works' },
      ],
    });
  });

  it('tell of a request that is sent again later, also of one that got no answer', () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 1225 };
    const fact = { kind: 'retry', sessionId: 's', delayMs: 1225 };
    expect(raw({ ...retry, error_status: 429, error: 'rate_limit' })).toEqual({ ...fact, status: 429 });
    expect(raw({ ...retry, error_status: null })).toEqual({ ...fact, status: null });
  });

  it('say nothing to a host where they are unknown, broken or of another agent', () => {
    expect(raw({ type: 'result', subtype: 'success' })).toBeNull();
    expect(raw({ type: 'assistant', message: null })).toBeNull();
    expect(claudeFacts.factOf('_claude/sdkMessage', null)).toBeNull();
    expect(claudeFacts.factOf('_auth/status_update', { sessionId: 's' })).toBeNull();
  });
});

it('offers no answer to a plan that clears the conversation or ends all asking', () => {
  const ids = ['exit-plan-default', 'exit-plan-auto', 'exit-plan-bypass', 'exit-plan-clear-auto', 'reject'];
  expect(ids.filter((id) => claudeFacts.mayOffer(id))).toEqual(['exit-plan-default', 'exit-plan-auto', 'reject']);
});

describe('results of tools', () => {
  const path = '/home/me/project/a.txt';

  it('tell both versions of a file that was edited', () => {
    const response = { filePath: path, oldString: 'two', newString: 'TWO', originalFile: 'one\ntwo\ntwo\n' };
    const edit = { toolCallId: 'tool', path, before: 'one\ntwo\ntwo\n' };
    expect(editOf('Edit', response)).toEqual({ ...edit, after: 'one\nTWO\ntwo\n' });
    expect(editOf('Edit', { ...response, replaceAll: true })).toEqual({ ...edit, after: 'one\nTWO\nTWO\n' });
    // Letters that mean something to a pattern or in what takes its place.
    const odd = { filePath: path, oldString: '$1.*', newString: '$&$`', originalFile: 'a $1.* b' };
    expect(editOf('Edit', odd)).toMatchObject({ after: 'a $&$` b' });
  });

  it('tell of files that were made, written over and of notebooks', () => {
    const made = { type: 'create', filePath: path, content: 'v1\n', originalFile: null };
    expect(editOf('Write', made)).toEqual({ toolCallId: 'tool', path, before: null, after: 'v1\n' });
    expect(editOf('Write', { ...made, type: 'update', originalFile: 'v0\n' })).toMatchObject({ before: 'v0\n' });
    const notebook = { notebook_path: path, original_file: '{}', updated_file: '{"a":1}' };
    expect(editOf('NotebookEdit', notebook)).toMatchObject({ path, before: '{}', after: '{"a":1}' });
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'c' },
    ];
    expect(editOf('MultiEdit', { filePath: path, originalFile: 'a', edits })).toMatchObject({ after: 'c' });
  });

  it('tell of no edit where one failed, was no edit, or does not fit the file', () => {
    expect(editOf('Edit', 'Error: no such file')).toBeNull();
    expect(editOf('Read', { type: 'text', file: { filePath: path, content: 'x' } })).toBeNull();
    expect(editOf('Edit', { filePath: path, oldString: 'z', newString: 'y', originalFile: 'a' })).toBeNull();
    expect(claudeFacts.editOf({ sessionUpdate: 'tool_call_update', toolCallId: 'tool' })).toBeNull();
  });

  it('say which tool changes files untold', () => {
    const call = (toolName: string): SessionUpdate => ({
      ...{ sessionUpdate: 'tool_call', toolCallId: 'tool', title: 'x' },
      _meta: { claudeCode: { toolName } },
    });
    expect(claudeFacts.changesFilesUnreported(call('Bash'))).toBe(true);
    expect(claudeFacts.changesFilesUnreported(call('Edit'))).toBe(false);
    const ended = (nonExecutionKind?: string): SessionUpdate => ({
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'tool', status: 'failed' },
      _meta: { claudeCode: { toolName: 'Bash', ...(nonExecutionKind && { nonExecutionKind }) } },
    });
    expect(claudeFacts.deniedCall(ended('permission-rule'))).toBe('tool');
    expect([ended(), ended('interrupted'), call('Bash')].map(claudeFacts.deniedCall)).toEqual([null, null, null]);
  });
});

describe('options of a question', () => {
  it('leave out what would take the session from its host', () => {
    expect(['exit-plan-default', 'exit-plan-clear-auto', 'allow-once'].map(claudeFacts.mayOffer)).toEqual([
      ...[true, false, true],
    ]);
  });
});
