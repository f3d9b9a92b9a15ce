import { describe, expect, it } from 'vitest';
import type { PromptReading } from '../../../app/exchange/initiator/reading.ts';
import type { Verdict } from '../../../app/exchange/initiator/verdict.ts';
import { type InteractionIds, Interactions } from '../../../app/exchange/send.ts';
import {
  a,
  assistant,
  b,
  Conversation,
  claudeCode,
  date,
  hintsOff,
  interjected,
  type Outcome,
  plain,
  type Request,
  sample,
  T,
  TR,
  toolTurn,
  user,
} from './initiator/claude-code-requests.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const prompt = user(date, T('fix the test'));
const next = user(date, T('and now the docs'));
const results = user(TR('hi'));

class Ids {
  readonly #interactions = new Interactions();
  readonly #conversation = new Conversation();

  of(request: Request, outcome: Outcome = 'whole'): string {
    return this.both(request, outcome).interactionId;
  }

  turnOf(request: Request, outcome: Outcome = 'whole'): string {
    return this.both(request, outcome).turnId;
  }

  both(request: Request, outcome: Outcome): InteractionIds {
    const reading: PromptReading = this.#conversation.read(request);
    const verdict: Verdict = this.#conversation.send(request, outcome);
    const ids = this.#interactions.idsFor(reading, verdict);
    for (const id of Object.values(ids)) expect(id).toMatch(uuid);
    return ids;
  }
}

describe('X-Interaction-Id', () => {
  it('B4.6 is the prompt id where there is one, in every turn and subagent of it', () => {
    const ids = new Ids();
    const subagent = claudeCode({ class: 'subagent', prompt: a, more: { 'x-claude-code-agent-id': 'x' } }, [prompt]);
    const turns = [
      claudeCode({ prompt: a }, [prompt]),
      claudeCode({ prompt: a }, [prompt, toolTurn, results]),
      subagent,
      claudeCode({ prompt: a }, [prompt, toolTurn, user(TR('hi'), T(`${interjected}faster`))]),
      claudeCode({ prompt: b }, [prompt, assistant(T('done.')), next]),
    ];
    expect(turns.map((turn) => ids.of(turn))).toEqual([a, a, a, a, b]);
  });

  it('B4.6 without one is the same for a prompt’s tool turns and another for the next prompt', () => {
    const ids = new Ids();
    const first = ids.of(claudeCode(hintsOff, [prompt]));
    const second = ids.of(claudeCode(hintsOff, [prompt, toolTurn, results]));
    const typed = ids.of(claudeCode(hintsOff, [prompt, toolTurn, user(TR('hi'), T(`${interjected}faster`))]));
    const third = ids.of(claudeCode(hintsOff, [prompt, assistant(T('done.')), next]));
    const fourth = ids.of(claudeCode(hintsOff, [prompt, assistant(T('done.')), next, toolTurn, results]));
    expect([second, typed, fourth]).toEqual([first, first, third]);
    expect(third).not.toBe(first);
  });

  it('stays for a second attempt and a repeat, not for the person asking again', () => {
    const ids = new Ids();
    const request = claudeCode(hintsOff, [prompt]);
    const first = ids.of(request, { refused: 429 });
    expect(ids.of(request, 'cut')).toBe(first);
    expect(ids.of(request, 'whole')).toBe(first);
    expect(ids.of(request, 'whole')).not.toBe(first);
  });

  it('is not taken or ended by what runs beside the conversation', () => {
    const ids = new Ids();
    const first = ids.of(claudeCode({}, [prompt]));
    const beside = [
      sample('auxiliary-title.sonnet-4.6'),
      sample('count_tokens.opus-4-6'),
      claudeCode({ class: 'auxiliary' }, [prompt, assistant(T('done.')), next]),
    ].map((request) => ids.of(request));
    expect(new Set([first, ...beside]).size).toBe(4);
    expect(ids.of(claudeCode({}, [prompt, toolTurn, results]))).toBe(first);
  });

  it('does not change with who it is counted for', () => {
    const interactions = new Interactions();
    const conversation = new Conversation();
    const turns = [claudeCode(hintsOff, [prompt]), claudeCode(hintsOff, [prompt, toolTurn, results])];
    const ids = turns.map((turn) =>
      interactions.idsFor(conversation.read(turn), { ...conversation.send(turn), initiator: 'user' }),
    );
    expect(ids[1]).toEqual(ids[0]);
  });

  it('goes on through a compaction', () => {
    const ids = new Ids();
    const first = ids.of(claudeCode({ prompt: a }, [prompt]));
    const order = user(T('CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'));
    expect(ids.of(claudeCode({ class: 'compaction' }, [prompt, assistant(T('done.')), order]))).toBe(first);
  });

  it('is a prompt id only if that is a uuid: it becomes a header', () => {
    const ids = new Ids();
    expect(ids.of(claudeCode({ prompt: 'x\r\ny' }, [prompt]))).not.toContain('x');
  });

  it('keeps sessions apart', () => {
    const ids = new Ids();
    const other = { ...hintsOff, more: { 'x-claude-code-session-id': 'another' } };
    const first = ids.of(claudeCode(hintsOff, [prompt]));
    const second = ids.of(claudeCode(other, [prompt]));
    expect(second).not.toBe(first);
    expect(ids.of(claudeCode(hintsOff, [prompt, toolTurn, results]))).toBe(first);
  });

  it('is new every time where the request names no conversation', () => {
    const ids = new Ids();
    const request = plain('chat', { messages: [{ role: 'user', content: 'hello' }] });
    expect(ids.of(request)).not.toBe(ids.of(request));
  });

  it('holds the conversations that are in use, not all there ever were', () => {
    const ids = new Ids();
    const request = (session: number, ...messages: unknown[]) =>
      claudeCode({ ...hintsOff, more: { 'x-claude-code-session-id': `s${session}` } }, messages);
    const firsts = Array.from({ length: 1001 }, (_, session) => ids.of(request(session, prompt)));
    expect(ids.of(request(1000, prompt, toolTurn, results))).toBe(firsts[1000]);
    expect(ids.of(request(1, prompt, toolTurn, results))).toBe(firsts[1]);
    expect(ids.of(request(0, prompt, toolTurn, results))).not.toBe(firsts[0]);
  });
});

describe('X-Request-Id', () => {
  const worker = (agentId: string, ...messages: unknown[]) =>
    claudeCode({ class: 'subagent', prompt: a, more: { 'x-claude-code-agent-id': agentId } }, messages);

  it('B4.5 is one for a prompt, its tool turns and its repeats, and never the interaction’s', () => {
    const ids = new Ids();
    const first = ids.both(claudeCode({ prompt: a }, [prompt]), 'cut');
    const others = [claudeCode({ prompt: a }, [prompt]), claudeCode({ prompt: a }, [prompt, toolTurn, results])].map(
      (turn) => ids.turnOf(turn),
    );
    expect(others).toEqual([first.turnId, first.turnId]);
    expect(first.turnId).not.toBe(first.interactionId);
    expect(ids.turnOf(claudeCode({ prompt: b }, [prompt, assistant(T('done.')), next]))).not.toBe(first.turnId);
  });

  it('B4.5 without prompt ids, too', () => {
    const ids = new Ids();
    const first = ids.turnOf(claudeCode(hintsOff, [prompt]));
    expect(ids.turnOf(claudeCode(hintsOff, [prompt, toolTurn, results]))).toBe(first);
    expect(ids.turnOf(claudeCode(hintsOff, [prompt, assistant(T('done.')), next]))).not.toBe(first);
  });

  it('B4.5 each subagent has its own, whatever runs between its requests', () => {
    const ids = new Ids();
    const main = ids.turnOf(claudeCode({ prompt: a }, [prompt]));
    const firsts = ['x', 'y'].map((agentId) => ids.turnOf(worker(agentId, prompt)));
    const seconds = ['x', 'y'].map((agentId) => ids.turnOf(worker(agentId, prompt, toolTurn, results)));
    expect(seconds).toEqual(firsts);
    expect(new Set([main, ...firsts]).size).toBe(3);
    expect(ids.turnOf(claudeCode({ prompt: a }, [prompt, toolTurn, results]))).toBe(main);
  });

  it('B4.5 what runs beside the conversation has one for each request', () => {
    const ids = new Ids();
    const first = ids.turnOf(claudeCode({}, [prompt]));
    const title = sample('auxiliary-title.sonnet-4.6');
    const order = user(T('CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'));
    const compaction = claudeCode({ class: 'compaction' }, [prompt, assistant(T('done.')), order]);
    const turns = [title, title, compaction, sample('count_tokens.opus-4-6')].map((request) => ids.turnOf(request));
    expect(new Set([first, ...turns]).size).toBe(5);
  });

  it('is new every time where the request names no conversation', () => {
    const ids = new Ids();
    const request = plain('chat', { messages: [{ role: 'user', content: 'hello' }] });
    expect(ids.turnOf(request)).not.toBe(ids.turnOf(request));
  });
});
