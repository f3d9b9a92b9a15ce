import type { ChatRequest } from './chat.ts';
import type { MessagesRequest } from './messages.ts';
import type { FitNoteLike } from './note.ts';
import type { ToolNames } from './tool-names.ts';

export interface ChatOptions {
  /** Upstream is a Claude: cache marks become `copilot_cache_control`. */
  claude: boolean;
  /** The efforts the model lists. Absent: the effort is sent as it is; an empty list: it is left out. */
  efforts?: readonly string[];
  /** `cut`: the upstream takes no `stop`; the sequences come back in `localStops`. Default `send`. */
  stops?: 'send' | 'cut';
}

export type ToChat =
  | {
      ok: true;
      body: ChatRequest;
      notes: FitNoteLike[];
      toolNames: ToolNames;
      /** Stop sequences the upstream is not told: for `MessagesFromChat`. */
      localStops: string[];
    }
  | ChatRefusal;

/** Something with meaning that Chat Completions has no place for. */
export interface ChatRefusal {
  ok: false;
  code: 'document-refused';
  /** Where it stands: `messages.2.content.0`. */
  block: string;
  message: string;
}

export function messagesToChat(_request: MessagesRequest, _options: ChatOptions): ToChat {
  throw new Error('not yet');
}

/** The way back stands in a file of its own for its length; the pair is imported from here. */
export { type FromChatOptions, MessagesFromChat } from './messages-from-chat.ts';
