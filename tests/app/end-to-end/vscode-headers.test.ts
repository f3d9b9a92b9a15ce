import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../../app/simulator/record.ts';
import {
  a,
  assistant,
  b,
  claudeCode,
  image,
  type Request,
  sample,
  T,
  TR,
  toolTurn,
  user,
} from '../exchange/initiator/claude-code-requests.ts';
import { type Stack, startStack } from '../stack.ts';

/**
 * What goes to GitHub and Copilot beside what VS Code 1.139.1 with Copilot Chat 0.67.0 was captured to send in the same
 * place: header by header. Their order and the spelling of their names are not compared.
 */

type Headers = ReadonlyMap<string, string>;

/** By `what name`. Each is there for every pair in which it occurs, and has to occur. */
const allowed: Record<string, string> = {
  'absent vscode-sessionid': 'tells one session of a person from another',
  'absent vscode-machineid': 'tells one machine from another',
  'absent editor-device-id': 'tells one machine from another',
  'absent x-vscode-user-agent-library-version':
    'names a library that is not used here, and what a desktop says was never seen',
  'absent accept-language': 'added by the fetch of the captured build, not by the extension',
  'absent sec-fetch-mode': 'added by the fetch of the captured build, not by the extension',
  'absent accept-encoding': 'added by the fetch of the captured build; an answer is passed on as it comes',
  'other copilot-integration-id': 'the captured build is an open one; a shipped VS Code says vscode-chat',
  'other anthropic-beta': 'belongs to the body, and is the client’s',
  'more anthropic-beta': 'VS Code asks for its titles over Chat Completions',
  'more anthropic-version': 'belongs to the client’s API; VS Code’s own host for Claude Code sends it here, too',
  'other x-initiator': 'a repeat whose first attempt nobody accepted is still the person’s: the safe side',
};
const met = new Set<string>();

let stack: Stack;
beforeEach(async () => {
  stack = await startStack();
});
afterEach(() => stack.close());

function captured(name: string): Headers {
  const file = `vscode-1.139.1-copilot-0.67.0-${name}.request.json`;
  const { headers } = JSON.parse(readFileSync(new URL(`../../samples/vscode/${file}`, import.meta.url), 'utf8'));
  return headersOf(headers);
}

function headersOf(pairs: readonly [string, string][]): Headers {
  return new Map(pairs.map(([name, value]) => [name.toLowerCase(), value]));
}

/** Of the connection and the body, or another for every request. */
const ofItsOwn = new Set(['host', 'connection', 'content-length']);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function shape(value: string): string {
  return uuid.test(value) ? 'a uuid' : value.replace(/^(Bearer|token) .*/, '$1 …');
}

function expectAsVscode(ours: RecordedRequest | undefined, name: string): void {
  if (ours === undefined) throw new Error('nothing was sent');
  const [sent, theirs] = [headersOf(ours.rawHeaders), captured(name)];
  const found: string[] = [];
  for (const header of new Set([...sent.keys(), ...theirs.keys()])) {
    if (ofItsOwn.has(header)) continue;
    const [mine, other] = [sent.get(header), theirs.get(header)];
    if (mine === undefined) found.push(`absent ${header}`);
    else if (other === undefined) found.push(`more ${header}`);
    else if (shape(mine) !== shape(other)) found.push(`other ${header}`);
  }
  for (const difference of found) met.add(difference);
  expect(found.filter((difference) => allowed[difference] === undefined)).toEqual([]);
}

const requests = (path: string): RecordedRequest[] =>
  [...stack.simulator.githubRequests, ...stack.simulator.requests].filter((each) => each.path === path);
const last = (path: string): RecordedRequest | undefined => requests(path).at(-1);

async function ask({ headers, body }: Request, status = 200): Promise<void> {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !['authorization', 'content-length', 'host'].includes(name) ? [[name, value]] : [],
  );
  const answer = await stack.messages(body, { 'anthropic-beta': betas, ...Object.fromEntries(sent) });
  expect(answer.status).toBe(status);
}

const betas = String(sample('main-user-turn.sonnet-4.6').headers['anthropic-beta']);
const prompt = user(T('fix the test'));
const first = claudeCode({ prompt: a }, [prompt]);
const toolResult = claudeCode({ prompt: a }, [prompt, toolTurn, user(TR('hi'))]);
const second = claudeCode({ prompt: b }, [prompt, assistant(T('done.')), user(T('and the docs'))]);
const subagent = claudeCode({ class: 'subagent', prompt: a, more: { 'x-claude-code-agent-id': 'x' } }, [prompt]);
const order = user(T('CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'));
const compaction = claudeCode({ class: 'compaction' }, [prompt, assistant(T('done.')), order]);

describe('GitHub', () => {
  it('the token and the account', async () => {
    await stack.app.models();
    await stack.app.refresh();
    expectAsVscode(last('/copilot_internal/v2/token'), 'signin-GET-copilot-token');
    expectAsVscode(last('/copilot_internal/user'), 'signin-GET-copilot-user');
  });
});

describe('Copilot', () => {
  it('the list of models', async () => {
    await stack.app.models();
    expectAsVscode(last('/models'), 'signin-GET-models');
  });

  it.each([
    ['a prompt', [first], 'messages-sonnet46-prompt1-first'],
    ['a tool’s result', [first, toolResult], 'messages-sonnet46-prompt1-tool-result'],
    ['a subagent', [first, subagent], 'messages-sonnet46-subagent-first'],
    ['a compaction', [first, compaction], 'messages-sonnet46-compact'],
    ['a title', [sample('auxiliary-title.sonnet-4.6')], 'title-gpt-4o-mini'],
    ['an image', [claudeCode({ prompt: a }, [user(image, T('look'))])], 'messages-sonnet46-image-in-prompt'],
  ])('%s', async (_, asked, name) => {
    for (const request of asked) await ask(request);
    expectAsVscode(last('/v1/messages'), name);
  });

  it('an hour of cache', async () => {
    const beta = 'extended-cache-ttl-2025-04-11';
    const marked = { ...T('fix the test'), cache_control: { type: 'ephemeral', ttl: '1h' } };
    await ask(claudeCode({ prompt: a, more: { 'anthropic-beta': beta } }, [user(marked)]));
    expect(last('/v1/messages')?.betas).toContain(beta);
    expect(captured('messages-sonnet46-extended-ttl-on').get('anthropic-beta')).toContain(beta);
  });

  it('a prompt over Chat Completions, without and with an image', async () => {
    const body = (content: unknown) => ({ model: 'gpt-4.1', messages: [{ role: 'user', content }] });
    const chat = (content: unknown) =>
      stack.send({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body(content)),
      });
    await chat('hi');
    expectAsVscode(last('/chat/completions'), 'chat-gpt41-first');
    await chat([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]);
    expectAsVscode(last('/chat/completions'), 'chat-gpt41-image');
  });

  it('a prompt with an image over Responses', async () => {
    const part = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    await stack.send({
      method: 'POST',
      path: '/v1/responses',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.4', input: [{ role: 'user', content: [part] }] }),
    });
    expectAsVscode(last('/responses'), 'responses-gpt54-http-first-with-image');
  });
});

describe('which requests bear the same ids', () => {
  const names = ['x-request-id', 'x-agent-task-id', 'x-interaction-id'];

  /** For each request, the first one with the same id. */
  function sharing(all: readonly Headers[]): number[][] {
    return names.map((name) => all.map((one) => all.findIndex((other) => other.get(name) === one.get(name))));
  }

  it.each([
    [
      'a prompt, its tool results, the next prompt',
      [first, toolResult, second],
      ['prompt1-first', 'prompt1-tool-result', 'prompt2-first'],
    ],
    ['a prompt and a subagent of it', [first, subagent], ['before-subagent', 'subagent-first']],
  ])('%s', async (_, asked, theirs) => {
    for (const request of asked) await ask(request);
    const sent = requests('/v1/messages').map(({ rawHeaders }) => headersOf(rawHeaders));
    expect(sharing(sent)).toEqual(sharing(theirs.map((name) => captured(`messages-sonnet46-${name}`))));
  });

  it('a repeat after a 500, which is the client’s', async () => {
    stack.simulator.script.next({ kind: 'answer', status: 500, body: 'Internal Server Error' });
    await ask(first, 500);
    await ask(first);
    const sent = requests('/v1/messages');
    const theirs = ['500-first-attempt', '500-automatic-retry'];
    for (const [at, name] of theirs.entries()) expectAsVscode(sent[at], `messages-sonnet46-${name}`);
    expect(sharing(sent.map(({ rawHeaders }) => headersOf(rawHeaders)))).toEqual(
      sharing(theirs.map((name) => captured(`messages-sonnet46-${name}`))),
    );
  });
});

it('nothing is allowed that does not occur', () => {
  expect(Object.keys(allowed).filter((difference) => !met.has(difference))).toEqual([]);
});
