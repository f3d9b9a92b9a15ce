import type { WholeMessage } from './messages.ts';

/** Why there is no whole message. */
export interface CollectorProblem {
  kind: 'unfinished' | 'tool-input' | 'grammar' | 'unreadable';
  message: string;
}

export class MessagesCollector {
  push(_bytes: Buffer): void {}
  message(): WholeMessage | null {
    return null;
  }
  problem(): CollectorProblem | null {
    return null;
  }
}
