/**
 * Why a token that somebody handed us cannot work, as a sentence with its mend; null when nothing speaks against it.
 * GitHub gives Copilot tokens to tokens of a device sign-in (`ghu_`, `gho_`) only.
 */
export function tokenProblem(token: string): string | null {
  if (token.startsWith('ghp_') || token.startsWith('github_pat_')) {
    return (
      'This is a personal access token; GitHub gives no Copilot token for it, whatever its scopes. Use the ' +
      'token of a device sign-in ("jumpseat login").'
    );
  }
  if (/[^\x21-\x7e]/.test(token)) {
    return (
      'This is no GitHub token: it holds spaces or characters that no token has. Use the token of a device ' +
      'sign-in ("jumpseat login").'
    );
  }
  return null;
}
