/** Where `jumpseat acp` finds the running Jumpseat, and which agent leads the sessions that an editor begins. */
export const editorPath = '/acp';
export const agentHeader = 'x-jumpseat-agent';
