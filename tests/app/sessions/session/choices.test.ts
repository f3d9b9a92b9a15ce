import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../app/api/sessions.ts';
import type { AgentName } from '../../../../app/sessions/agents/agent.ts';
import { firstChoices } from '../../../../app/sessions/session/choices.ts';
import { until } from '../../../soon.ts';
import { Hosted, text } from '../host/hosted.ts';

const offered = [
  { id: 'opus', model: 'claude-opus-4.8', efforts: ['low', 'high'] },
  { id: 'haiku', model: 'claude-haiku-4.5', efforts: [] },
];
const agent = (name: AgentName = 'claude', models = offered) => ({ name, models: async () => models });
const usual = { mode: 'plan', model: 'opus', effort: 'high' } as const;

describe('a new session', () => {
  it('runs with what the settings say where nothing was chosen for it', async () => {
    expect(await firstChoices(agent(), usual, { directories: ['/d'] })).toEqual({ ...usual, directories: ['/d'] });
    expect(await firstChoices(agent(), { ...usual, model: null }, {})).toEqual({ ...usual, model: null, effort: null });
  });

  it('runs with what was chosen for it, also where that is left to the agent', async () => {
    const chosen = { model: null, effort: 'low', mode: null };
    expect(await firstChoices(agent(), usual, chosen)).toEqual(chosen);
    expect(await firstChoices(agent(), usual, { model: 'haiku' })).toEqual({ ...usual, model: 'haiku', effort: null });
  });

  it('leaves to the agent what the account or the model lacks', async () => {
    const own = { mode: 'plan', model: null, effort: null };
    expect(await firstChoices(agent('claude', []), usual, {})).toEqual(own);
    expect(await firstChoices(agent('claude', offered.slice(1)), usual, {})).toEqual(own);
    expect(await firstChoices(agent(), { ...usual, effort: 'max' }, {})).toEqual({ ...usual, effort: null });
  });

  it('of another agent than Claude Code takes nothing of it', async () => {
    expect(await firstChoices(agent('codex'), usual, { directories: [] })).toEqual({ directories: [] });
  });

  it('is begun so by its host', async () => {
    const hosted = new Hosted();
    hosted.settings = { ...hosted.settings, mode: 'acceptEdits', model: 'claude-opus-4.8', effort: 'high' };
    const session = await hosted.host.begin({ cwd: hosted.cwd, choices: { effort: 'low' } });
    expect(session.view()).toMatchObject({
      mode: { wanted: 'acceptEdits' },
      model: { wanted: 'claude-opus-4.8' },
      effort: { wanted: 'low' },
    });
  });

  it('follows the settings as long as nothing was chosen for it and nothing was said in it', async () => {
    const hosted = new Hosted();
    const begin = () => hosted.host.begin({ cwd: hosted.cwd });
    const [untouched, chosen, said] = [await begin(), await begin(), await begin()];
    await chosen.choose({ mode: 'acceptEdits' });
    await hosted.ended((await said.send(text('Hello'))).turnId);
    hosted.settings = { ...hosted.settings, mode: 'plan', model: 'claude-opus-4.8' };
    hosted.host.settingsChanged();
    await until(() => untouched.view().model.wanted === 'claude-opus-4.8');
    expect(untouched.view().mode.wanted).toBe('plan');
    expect(chosen.view()).toMatchObject({ mode: { wanted: 'acceptEdits' }, model: { wanted: null } });
    expect(said.view()).toMatchObject({ mode: { wanted: 'default' }, model: { wanted: null } });
  });
});

describe('a session of another program', () => {
  const ofTerminal = async (last: { model: string | null; effort: string | null }, row: object = {}) => {
    const hosted: Hosted = new Hosted({
      foreign: async () => ({ agent: 'claude' as const, cwd: hosted.cwd, ...last }),
    });
    hosted.agent.conversations.add('theirs');
    hosted.settings = { ...hosted.settings, model: 'claude-opus-4.8', effort: 'high' };
    hosted.store.sessions.decorate('theirs', row);
    return { hosted, session: await hosted.host.session('theirs') };
  };
  const wanted = ({ model, effort }: Pick<Session, 'model' | 'effort'>) => [model.wanted, effort.wanted];

  it('names the model and the effort that it goes on with before a message is sent, and goes on with them', async () => {
    const { hosted, session } = await ofTerminal({ model: 'claude-opus-4-8', effort: 'low' });
    expect([wanted(session.view()), hosted.agent.methods()]).toEqual([['claude-opus-4.8', 'low'], []]);
    await hosted.ended((await session.send(text('go on'))).turnId);
    const resumed = hosted.agent.asked.find(({ method }) => method === 'session/resume');
    expect(resumed?.params._meta).toMatchObject({ jumpseat: { model: 'claude-opus-4.8', effort: 'low' } });
  });

  it('names those of new sessions where its own are not known, or not to be had here', async () => {
    for (const model of [null, 'claude-of-yesterday']) {
      const { session } = await ofTerminal({ model, effort: 'max' });
      expect(wanted(session.view())).toEqual(['claude-opus-4.8', 'high']);
    }
  });

  it('names what was chosen for it here before all', async () => {
    const { session } = await ofTerminal({ model: 'claude-opus-4-8', effort: 'low' }, { effort: 'high' });
    expect(wanted(session.view())).toEqual(['claude-opus-4.8', 'high']);
  });
});
