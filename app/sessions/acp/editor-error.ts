import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { AgentError } from '../agents/agent.ts';
import { SessionError } from '../session/error.ts';
import { SessionStoreError } from '../store/store-error.ts';

/** An error of ours, as an editor shows it: with what to do. */
export async function inWords<Made>(work: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AgentError || error instanceof SessionStoreError) {
      throw new RequestError(-32603, `Jumpseat: ${error.message} ${error.mend}`);
    }
    if (!(error instanceof SessionError)) throw error;
    const isAsked = error.code === 'folder-gone' || error.code === 'no-answer';
    const code = error.code === 'no-session' ? -32002 : isAsked ? -32602 : -32603;
    throw new RequestError(code, `Jumpseat: ${error.message} ${error.mend}`, { code: error.code });
  }
}
