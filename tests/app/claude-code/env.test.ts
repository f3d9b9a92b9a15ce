import { describe, expect, it } from 'vitest';
import { isClientLabel } from '../../../app/claude-code/client-label.ts';
import {
  claudeCodeEnvironment,
  claudeCodeVariables,
  environmentNotes,
  withStandIns,
} from '../../../app/claude-code/env.ts';

const models = { opus: 'claude-opus-4.8', sonnet: 'claude-sonnet-4.6', haiku: 'claude-haiku-4.5' };
const variables = (chosen: { opus: string | null; sonnet: string | null; haiku: string | null } = models) =>
  Object.fromEntries(
    claudeCodeEnvironment({ baseUrl: 'http://127.0.0.1:4180', key: 'KEY', label: 'claude-code', models: chosen }).map(
      ({ name, value }) => [name, value],
    ),
  );

describe('the lines for Claude Code', () => {
  it('are ten, in this order', () => {
    expect(Object.entries(variables())).toEqual([
      ['ANTHROPIC_BASE_URL', 'http://127.0.0.1:4180'],
      ['ANTHROPIC_AUTH_TOKEN', 'KEY.claude-code'],
      ['ANTHROPIC_API_KEY', ''],
      ['CLAUDE_CODE_GATEWAY_HINT_HEADERS', '1'],
      ['CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY', '1'],
      ['CLAUDE_CODE_ATTRIBUTION_HEADER', '0'],
      ['CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION', 'false'],
      ['ANTHROPIC_DEFAULT_OPUS_MODEL', 'claude-opus-4.8'],
      ['ANTHROPIC_DEFAULT_SONNET_MODEL', 'claude-sonnet-4.6'],
      ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'claude-haiku-4.5'],
    ]);
    expect(Object.keys(variables())).toEqual([...claudeCodeVariables]);
  });

  it('leave out a family that the account lacks, and say so', () => {
    const some = variables({ ...models, haiku: null });
    expect(some).not.toHaveProperty('ANTHROPIC_DEFAULT_HAIKU_MODEL');
    expect(environmentNotes(some)).toEqual(['This account has no enabled haiku model, so that line is left out.']);
    expect(environmentNotes(variables({ opus: null, sonnet: null, haiku: null }))).toEqual([
      'The models of this account are not known now, so the lines that name models are left out.',
    ]);
    expect(environmentNotes(variables())).toEqual([]);
  });

  it('C4.4 say why CLAUDE_CODE_MAX_CONTEXT_TOKENS is not set where a model takes less than Claude Code assumes', () => {
    const notes = environmentNotes(variables(), {
      'claude-opus-4.8': 936_000,
      'claude-sonnet-4.6': 168_000,
      'claude-haiku-4.5': 136_000,
    });
    expect(notes).toEqual([
      'Claude Code reckons with 200k tokens of prompt, and claude-sonnet-4.6 takes 168k, claude-haiku-4.5 ' +
        'takes 136k. A longer prompt is answered so that Claude Code compacts, so ' +
        'CLAUDE_CODE_MAX_CONTEXT_TOKENS is not set: it would be one limit for every model.',
    ]);
    expect(environmentNotes(variables(), { 'claude-opus-4.8': 936_000 })).toEqual([]);
  });

  it('notes hold nothing that a shell would take for more than text', () => {
    const notes = [
      ...environmentNotes(variables({ ...models, opus: null, haiku: null }), { 'claude-sonnet-4.6': 1 }),
      ...environmentNotes({}),
    ];
    for (const note of notes) expect(note).toMatch(/^[A-Za-z0-9_ .,:-]+$/);
  });

  it('C3.3 setup lets small tasks run on the sonnet where there is no haiku, and says so', () => {
    expect(withStandIns(variables({ ...models, haiku: null }))).toEqual({
      variables: variables({ ...models, haiku: 'claude-sonnet-4.6' }),
      notes: ['This account has no enabled haiku model, so Claude Code’s small tasks run on claude-sonnet-4.6.'],
    });
    expect(withStandIns(variables())).toEqual({ variables: variables(), notes: [] });
  });

  it('labels', () => {
    expect(['claude-code', 'a.b_c', 'Ω', '', 'a b', '-x', 'a'.repeat(65)].map(isClientLabel)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
