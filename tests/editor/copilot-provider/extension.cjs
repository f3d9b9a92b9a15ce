/**
 * Plays GitHub Copilot Chat in the tests of the extension: models of the vendor `copilot`, behind VS Code's real
 * consent dialog. What it answers is told by the words of the newest message; each request stands as a line of JSON in
 * JUMPSEAT_TEST_LM_LOG.
 */
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const vscode = require('vscode');

const note = (entry) => appendFileSync(process.env.JUMPSEAT_TEST_LM_LOG, `${JSON.stringify(entry)}\n`);

const model = (id, rest = {}) => ({
  id,
  name: id,
  family: id,
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 16_000,
  capabilities: { imageInput: true, toolCalling: true },
  isUserSelectable: true,
  requiresAuthorization: { label: 'GitHub Copilot' },
  ...rest,
});
const models = [
  model('auto'),
  model('copilot-utility-small'),
  model('claude-sonnet-4.6'),
  model('claude-haiku-4.5'),
  model('gpt-4.1', { maxInputTokens: 2000 }),
  model('gpt-5.4'),
];

/** `signed out` while this file is there. */
const signedOut = () => existsSync(`${process.env.JUMPSEAT_TEST_LM_LOG}.signed-out`);

/** One that no manifest here names. */
function refusedProposal() {
  try {
    vscode.workspace.registerTimelineProvider('file', { provideTimeline: () => undefined });
    return 'It may be used.';
  } catch (error) {
    return error.message;
  }
}

exports.activate = (context) => {
  writeFileSync(`${process.env.JUMPSEAT_TEST_LM_LOG}.proposal`, refusedProposal());
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    vscode.commands.registerCommand('copilotProvider.changed', () => changed.fire()),
    vscode.lm.registerLanguageModelChatProvider('copilot', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: () => (signedOut() ? [] : models),
      provideTokenCount: (_model, text) =>
        Math.ceil((typeof text === 'string' ? text : JSON.stringify(text.content)).length / 4),
      provideLanguageModelChatResponse: answer,
    }),
  );
};

async function answer(asked, messages, options, progress, token) {
  const seen = messages.map(({ role, content }) => ({ role, content: content.map(plain) }));
  const { tools = [], toolMode, modelOptions } = options;
  note({ model: asked.id, messages: seen, tools: tools.map(({ name }) => name), toolMode, modelOptions });
  const last = seen.at(-1).content.at(-1);
  const words = last.text ?? '';
  const say = (text) => progress.report(new vscode.LanguageModelTextPart(text));
  const count = (prompt, completion) =>
    progress.report(new vscode.LanguageModelDataPart(Buffer.from(JSON.stringify(usage(prompt, completion))), 'usage'));

  const error = /fail: (\S+)/.exec(words)?.[1];
  if (error !== undefined) throw errors[error]();
  if (words.includes('tick until cancelled')) {
    say('tick');
    await new Promise((resolve) => token.onCancellationRequested(resolve));
    note({ cancelled: true });
    return;
  }
  if (words.includes('be cut')) {
    say('x'.repeat(4 * (modelOptions.max_tokens ?? 0)));
    return;
  }
  const [, tool, input] = /call (\S+) with (\{.*\})/.exec(words) ?? [];
  if (tool !== undefined && tools.some(({ name }) => name === tool)) {
    progress.report(new vscode.LanguageModelThinkingPart('I call it.'));
    say('I look.');
    progress.report(new vscode.LanguageModelToolCallPart('call_1', tool, JSON.parse(input)));
    count(200, 20);
    return;
  }
  say(last.result === undefined ? `You said: ${words.slice(-200)}` : `It gave: ${JSON.stringify(last.result)}`);
  progress.report(new vscode.LanguageModelDataPart(Buffer.from('{"id":1}'), 'stateful_marker'));
  count(100, 10);
}

const errors = {
  NotFound: () => vscode.LanguageModelError.NotFound('gone'),
  Blocked: () => vscode.LanguageModelError.Blocked('blocked'),
  ChatRateLimited: () => named('ChatRateLimited', 'Sorry, you have been rate-limited.'),
  ChatQuotaExceeded: () => named('ChatQuotaExceeded', 'You have exceeded your premium request allowance.'),
  400: () =>
    new Error('Request Failed: 400 {"error":{"message":"prompt token count of 9 exceeds the limit of 8","code":"x"}}'),
  length: () => new Error('Message exceeds token limit.'),
  cut: () => new Error('Please check your firewall rules and network connection then try again. Error Code: net.'),
  nameless: () => new Error(''),
};

function named(name, message) {
  const error = new Error(message);
  error.name = name;
  return error;
}

function plain(part) {
  if (part.callId !== undefined && part.name !== undefined) return { call: part.name, input: part.input };
  if (part.callId !== undefined) return { result: part.content.map(plain) };
  if (part.mimeType !== undefined) return { data: part.mimeType, bytes: part.data.length };
  return { text: part.value };
}

const usage = (prompt, completion) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: 40 },
  copilot_usage: { token_details: [], total_nano_aiu: 250_000_000 },
});
