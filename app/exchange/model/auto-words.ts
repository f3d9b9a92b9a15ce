/** What is said of a model that GitHub chose (Auto). */

export const chosenNow =
  'GitHub has just chosen it for this conversation (Auto). No word of the conversation was sent for that.';
export const chosenBefore = 'GitHub chose it for this conversation (Auto).';

export const autoText =
  'GitHub chooses a model for each conversation (Auto), and anew after a compaction. No word of the conversation is sent for that.';

export const noAuto =
  'Jumpseat: GitHub chose no model (Auto): this account has no Auto, or api.githubcopilot.com was not reached. Try ' +
  'again in a minute; "jumpseat doctor" looks at the connection.';

export function autoUnknown(model: string): string {
  return `Jumpseat: GitHub chose ${model} (Auto), which Copilot doesn’t list for this account. Try again.`;
}
