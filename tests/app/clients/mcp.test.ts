import { describe, expect, it } from 'vitest';
import type { Shell } from '../../../app/api/setup.ts';
import { openaiLines } from '../../../app/clients/lines.ts';

const door = { baseUrl: 'http://127.0.0.1:4180', key: 'KEY', label: 'a-client' };
const lines = (what: Parameters<typeof openaiLines>[0], shell: Shell = 'bash'): string =>
  openaiLines(what, { door, models: [], shell });
const add = 'claude mcp add --scope user --transport http jumpseat http://127.0.0.1:4180/mcp --header';

describe('the MCP server', () => {
  it.each<[Shell, string]>([
    ['bash', `export JUMPSEAT_MCP_KEY=KEY.a-client\n${add} 'Authorization: Bearer \${JUMPSEAT_MCP_KEY}'\n`],
    ['fish', `set -gx JUMPSEAT_MCP_KEY KEY.a-client\n${add} 'Authorization: Bearer \${JUMPSEAT_MCP_KEY}'\n`],
    ['powershell', `$env:JUMPSEAT_MCP_KEY = 'KEY.a-client'\n${add} 'Authorization: Bearer \${JUMPSEAT_MCP_KEY}'\n`],
    ['cmd', `set "JUMPSEAT_MCP_KEY=KEY.a-client"\n${add} "Authorization: Bearer \${JUMPSEAT_MCP_KEY}"\n`],
  ])('for Claude Code in %s: the key in a variable, none in the command', (shell, text) => {
    expect(lines('mcp', shell)).toBe(text);
  });

  it('as a .mcp.json without a key', () => {
    expect(JSON.parse(lines('mcp', 'json'))).toEqual({
      mcpServers: {
        jumpseat: {
          type: 'http',
          url: 'http://127.0.0.1:4180/mcp',
          headers: { Authorization: `Bearer \${JUMPSEAT_MCP_KEY}` },
        },
      },
    });
  });

  it('for Codex, with the variable of its key', () => {
    expect(lines('mcp-codex')).toBe(`# ~/.codex/config.toml, anywhere below its first [table]:
[mcp_servers.jumpseat]
url = "http://127.0.0.1:4180/mcp"
bearer_token_env_var = "JUMPSEAT_CODEX_KEY"
`);
  });

  it('for Zed', () => {
    expect(JSON.parse(lines('mcp-zed'))).toEqual({
      context_servers: {
        jumpseat: { url: 'http://127.0.0.1:4180/mcp', headers: { Authorization: 'Bearer KEY.a-client' } },
      },
    });
  });
});
