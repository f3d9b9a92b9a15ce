/** A sentence for Claude Code says who speaks; where Jumpseat itself shows it, that is left out. */
export function withoutSpeaker(sentence: string): string {
  return sentence.replace(/^Jumpseat:\s*/u, '');
}
