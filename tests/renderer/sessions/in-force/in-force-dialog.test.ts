import { expect, it } from 'vitest';
import type { InForce } from '../../../../app/api/session-surroundings.ts';
import { forceSections } from '../../../../renderer/sessions/in-force/in-force-dialog.tsx';

const agent = { kind: 'agent', name: null, path: null } as const;
const none: InForce = {
  ...{
    models: [],
    agents: [],
    skills: [],
    commands: [],
    hooks: [],
    servers: [],
    plugins: [],
    memory: [],
    context: null,
  },
};

it('is what the agent says, by subject, with where it comes from; what is empty is left out', () => {
  const path = '/home/me/.claude/skills/greet/SKILL.md';
  const skill = { name: 'greet', description: 'About greet', origin: { kind: 'user', name: null, path } } as const;
  const sections = forceSections(
    {
      ...none,
      models: [{ id: 'opus', model: 'claude-opus-4.8', efforts: ['low', 'high'] }],
      skills: [skill],
      commands: [
        { ...skill, hint: null, isSkill: true },
        { name: 'deploy', description: 'Deploys', hint: null, isSkill: false, origin: agent },
      ],
      servers: [
        { name: 'own', state: 'connected', error: null, tools: ['a', 'b'], origin: { ...agent, kind: 'jumpseat' } },
        { name: 'broken', state: 'failed', error: 'it ended', tools: [], origin: agent },
      ],
    },
    'Claude Code',
  );
  expect(
    sections.map(({ title, lines }) => [title, lines.map(({ name, says, from, isBad }) => [name, says, from, isBad])]),
  ).toEqual([
    ['Models', [['opus', 'claude-opus-4.8 · low, high', 'Claude Code', false]]],
    ['Skills', [['greet', 'About greet', '~/.claude/skills', false]]],
    ['Commands', [['/deploy', 'Deploys', 'Claude Code', false]]],
    [
      'MCP servers',
      [
        ['own', 'Connected: a, b', 'Jumpseat', false],
        ['broken', 'Failed: it ended', 'Claude Code', true],
      ],
    ],
  ]);
});
