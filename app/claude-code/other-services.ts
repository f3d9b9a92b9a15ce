/** Variables that lead Claude Code's requests to a service that isn't Jumpseat, whatever ANTHROPIC_BASE_URL says. */

/** Each makes Claude Code use another service and ignore ANTHROPIC_BASE_URL. */
export const otherServiceSwitches = [
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_MANTLE',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_USE_ANTHROPIC_AWS',
  'CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD',
] as const;

/**
 * All that would take prompts elsewhere, some of them with our key, if a repository's or person's settings said so.
 * With the last, Claude Code doesn't use our token.
 */
export const otherServices = [
  ...otherServiceSwitches,
  'CLAUDE_CODE_USE_GATEWAY',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'ANTHROPIC_BEDROCK_MANTLE_BASE_URL',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_FOUNDRY_RESOURCE',
  'ANTHROPIC_AWS_BASE_URL',
  'ANTHROPIC_GOOGLE_CLOUD_BASE_URL',
  'ANTHROPIC_CUSTOM_HEADERS',
  'CLAUDE_CODE_SIMPLE',
] as const;
