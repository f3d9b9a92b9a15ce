/*
 * Names and bounds that are read without zod, which neither the window loads nor a command that only asks the running
 * Jumpseat. The shapes of the contract are made of them.
 */

/** The part after the key: `KEY.work`. Anything else would not survive a header and a log. */
export const clientLabelForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The client's name in the log for a Claude Code that was set up. */
export const setupLabel = 'claude-code';

/** How the lines for Claude Code can be written; `json` is the form of its settings.json. */
export const shells = ['bash', 'zsh', 'fish', 'powershell', 'cmd', 'json'] as const;

export const placeLines = ['docker', 'devcontainer', 'wsl', 'ssh'] as const;

/**
 * What a person can copy for a client. `openai`: the variables that programs for OpenAI's APIs read; `codex`: its key,
 * for a shell; `codex-config`: the part of its config.toml, which holds no key; `vscode`: the models for its list;
 * `zed`: the models for Zed's settings.json, which holds no key; `zed-key`: the key for Zed, for a shell; `form`:
 * address and key for a program that asks for them in a form; `mcp`, `mcp-codex`, `mcp-zed`: the MCP server for Claude
 * Code, for Codex's config.toml and for Zed's settings.json; `acp`, `acp-zed`, `acp-jetbrains`: the command with which
 * editors start Jumpseat as an agent, for Zed's settings.json and for ~/.jetbrains/acp.json. No key is in these three.
 * `docker`, `devcontainer`, `wsl`, `ssh`: what makes Jumpseat reachable from there, with no key either.
 */
export const linesFor = [
  ...['claude-code', 'openai', 'codex', 'codex-config', 'vscode', 'zed', 'zed-key', 'form'],
  ...['mcp', 'mcp-codex', 'mcp-zed'],
  ...['acp', 'acp-zed', 'acp-jetbrains'],
  ...placeLines,
] as const;

/** Objects of Claude Code's settings.json that a setup writes into. */
export const settingsBlocks = ['env', 'modelSettings'] as const;

/** Ports that a person may choose. */
export const ports = { least: 1024, most: 65_535 } as const;

/**
 * What fills the context of a request, in the order in which a request sends them and everything lists them. `mcp`:
 * tools of MCP servers. `memory`: reminders that Claude Code writes into a prompt, which memory files are in.
 * `results`: of tools. `images`: with documents.
 */
export const contextParts = ['tools', 'mcp', 'system', 'memory', 'user', 'assistant', 'results', 'images'] as const;
