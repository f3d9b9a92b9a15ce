import type { InForce, Origin } from '../../../app/api/session-surroundings.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { originWords } from '../composer/commands.ts';

/** One line of what is in force. */
export interface ForceLine {
  key: string;
  /** `mono`: a name that is typed somewhere. */
  name: string;
  isCode: boolean;
  says: string;
  /** Red: it does not work. */
  isBad: boolean;
  from: string;
  /** The file that it stands in; null: not told. */
  path: string | null;
}

export interface ForceSection {
  title: string;
  lines: readonly ForceLine[];
}

/** All but the plugins, which can be switched. */
export function forceSections(inForce: InForce, agent: string): ForceSection[] {
  const from = (origin: Origin) => ({ from: originWords(origin, agent), path: origin.path });
  const described = ({ name, description, origin }: InForce['agents'][number], prefix = ''): ForceLine => ({
    ...{ key: `${name} ${origin.path ?? ''}`, name: `${prefix}${name}`, isCode: true, says: description, isBad: false },
    ...from(origin),
  });
  const skills = new Set(inForce.skills.map(({ name }) => name));
  const sections: ForceSection[] = [
    {
      title: 'Models',
      lines: inForce.models.map(({ id, model, efforts }) => ({
        ...{ key: id, name: id, isCode: true, says: [model, efforts.join(', ')].filter(Boolean).join(' · ') },
        ...{ isBad: false, from: agent, path: null },
      })),
    },
    { title: 'Agents', lines: inForce.agents.map((one) => described(one)) },
    { title: 'Skills', lines: inForce.skills.map((one) => described(one)) },
    {
      title: 'Commands',
      lines: inForce.commands.flatMap((one) =>
        one.isSkill || skills.has(one.name) ? [] : [described({ ...one }, '/')],
      ),
    },
    {
      title: 'Hooks',
      lines: inForce.hooks.map(({ event, matcher, command, origin }, index) => ({
        ...{ key: `${index}`, name: matcher === '' ? event : `${event} ${matcher}`, isCode: true, says: command },
        ...{ isBad: false, ...from(origin) },
      })),
    },
    {
      title: 'MCP servers',
      lines: inForce.servers.map(({ name, state, error, tools, origin }) => ({
        ...{ key: name, name, isCode: true, says: serverWords(state, error, tools), isBad: state === 'failed' },
        ...from(origin),
      })),
    },
    {
      title: 'CLAUDE.md files',
      lines: inForce.memory.map(({ path, kind, tokens }) => ({
        ...{ key: path, name: path, isCode: true, says: `${grouped(tokens)} tokens`, isBad: false },
        ...{ from: kind, path },
      })),
    },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

const states: Readonly<Record<string, string>> = {
  connected: 'Connected',
  failed: 'Failed',
  'needs-auth': 'Needs a sign-in',
  pending: 'Connecting',
  disabled: 'Off',
};

/** `Connected: web_search, web_fetch` */
function serverWords(state: string, error: string | null, tools: readonly string[]): string {
  const more = error ?? tools.join(', ');
  return [states[state] ?? state, more].filter(Boolean).join(': ');
}
