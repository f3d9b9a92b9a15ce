import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownPlugins } from '../../../../app/sessions/customizations/found.ts';
import { readPluginFolder } from '../../../../app/sessions/customizations/plugin-folder.ts';
import { temporaryFolder } from '../../history/surroundings.ts';

function furnished(files: Record<string, string>): string {
  const folder = join(temporaryFolder(), 'demo');
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

const skill = '---\nname: greet\n---\nGreet.\n';

describe('the folder of a plugin', () => {
  it('is read whole, with each program that it would run', async () => {
    const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sh stop.sh' }] }] } };
    const manifest = {
      ...{ name: 'tools', version: '2.0.0', description: 'Tools', lspServers: './lsp.json' },
      mcpServers: { inline: { command: 'node', args: ['a.js'] } },
    };
    const folder = furnished({
      '.claude-plugin/plugin.json': JSON.stringify(manifest),
      'skills/greet/SKILL.md': skill,
      'commands/deploy/now.md': 'Deploy: !`git push`\n',
      'agents/tester.md': '---\nname: tester\nhooks:\n  Stop: []\n---\n',
      'agents/reader.md': 'Reads hooks: and !bang.\n',
      'hooks/hooks.json': JSON.stringify(hooks),
      '.mcp.json': JSON.stringify({ mcpServers: { far: { type: 'http', url: 'https://mcp.example' } } }),
      'lsp.json': JSON.stringify({ go: { command: 'gopls' } }),
      'node_modules/a/SKILL.md': skill,
    });
    const { stamp: _, ...read } = await readPluginFolder(folder);
    expect(read).toEqual({
      ...{ root: folder, name: 'tools', version: '2.0.0', description: 'Tools', why: null },
      holds: {
        ...{ skills: ['greet'], commands: ['deploy:now'], agents: ['reader', 'tester'] },
        runs: [
          { kind: 'hook', name: 'Stop', command: 'sh stop.sh' },
          { kind: 'server', name: 'far', command: 'https://mcp.example' },
          { kind: 'server', name: 'inline', command: 'node a.js' },
          { kind: 'language-server', name: 'go', command: 'gopls' },
          { kind: 'words', name: 'agents/tester.md', command: null },
          { kind: 'words', name: 'commands/deploy/now.md', command: null },
        ],
      },
    });
  });

  it.each([
    ['a folder with skills', { 'skills/greet/SKILL.md': skill }, 'demo', ''],
    ['a single skill', { 'SKILL.md': skill }, 'demo', ''],
    ['one with these in .claude', { '.claude/skills/greet/SKILL.md': skill }, '.claude', '.claude'],
  ])('may be %s', async (_, files, name, root) => {
    const folder = furnished(files);
    const read = await readPluginFolder(folder);
    expect(read).toMatchObject({ name, root: join(folder, root), why: null });
    expect(read.holds.skills).toHaveLength(1);
  });

  it.each([
    ['broken', { '.claude-plugin/plugin.json': '{"name":' }, /^plugin\.json: /],
    ['broken', { '.claude-plugin/plugin.json': '[]' }, /^plugin\.json$/],
    ['empty', { 'readme.md': 'Nothing.' }, null],
    ['marketplace', { '.claude-plugin/marketplace.json': '{"plugins":[{"name":"a"},{"name":"b"}]}' }, /^a, b$/],
  ])('says that it is %s', async (code, files, detail) => {
    const { why } = await readPluginFolder(furnished(files));
    expect(why?.code).toBe(code);
    if (detail === null) expect(why?.detail).toBeNull();
    else expect(why?.detail).toMatch(detail);
  });

  it('is another one once a file is, and is named by where a link leads', async () => {
    const folder = furnished({ 'skills/greet/SKILL.md': skill });
    const link = join(dirname(folder), 'link');
    symlinkSync(folder, link);
    const before = await readPluginFolder(link);
    expect(before.root).toBe(folder);
    expect((await readPluginFolder(folder)).stamp).toBe(before.stamp);
    writeFileSync(join(folder, 'skills/greet/SKILL.md'), `${skill}More.\n`);
    expect((await readPluginFolder(folder)).stamp).not.toBe(before.stamp);
    rmSync(folder, { recursive: true });
    expect((await readPluginFolder(link)).why).toEqual({ code: 'gone', detail: null });
  });

  it('reads no file that its manifest names outside of it', async () => {
    const folder = furnished({ '.claude-plugin/plugin.json': '{"name":"demo","hooks":"../outside.json"}' });
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'secret' }] }] };
    writeFileSync(join(dirname(folder), 'outside.json'), JSON.stringify(hooks));
    expect((await readPluginFolder(folder)).holds.runs).toEqual([]);
  });
});

describe('plugins that Claude Code knows', () => {
  it('are none where it has no files, or these can’t be read', async () => {
    expect(await knownPlugins(join(temporaryFolder(), 'none'))).toEqual([]);
    expect(await knownPlugins(furnished({ 'plugins/known_marketplaces.json': '{' }))).toEqual([]);
  });

  it('are in its copy of a marketplace, or where it installed them for the person', async () => {
    const folder = furnished({
      'market/.claude-plugin/marketplace.json': JSON.stringify({
        plugins: [{ name: 'in', source: './in' }, { name: 'up', source: '../up' }, { name: 'own', source: './own' }, 7],
      }),
      'settings.json': '{"enabledPlugins":{"own@m":true,"in@m":true}}',
    });
    const places = {
      'own@m': [{ scope: 'user', installPath: '/cache/own' }],
      'in@m': [{ scope: 'project', installPath: '/p' }],
    };
    mkdirSync(join(folder, 'plugins'));
    writeFileSync(join(folder, 'plugins/installed_plugins.json'), JSON.stringify({ version: 2, plugins: places }));
    const known = { m: { source: { source: 'github', repo: 'a/b' }, installLocation: join(folder, 'market') } };
    writeFileSync(join(folder, 'plugins/known_marketplaces.json'), JSON.stringify(known));
    expect(await knownPlugins(folder)).toMatchObject([
      { id: 'in@m', path: join(folder, 'market/in'), isInstalled: false, isOnEverywhere: false },
      { id: 'own@m', path: '/cache/own', isInstalled: true, isOnEverywhere: true },
      { id: 'up@m', path: null, isInstalled: false },
    ]);
  });
});
