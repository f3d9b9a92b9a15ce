/** GitHub's tokens and Copilot's (`tid=…;exp=…:mac`), by their shapes. */
const tokens = /\b(?:gh[oprsu]_\w{6,}|github_pat_\w{6,}|tid=[^\s"'\\]+)/g;

/** Words of a refusal are shown, kept and exported: one that quotes what it was sent loses its tokens before anybody reads it. */
export function withoutTokens(text: string): string {
  return text.replace(tokens, '[redacted]');
}
