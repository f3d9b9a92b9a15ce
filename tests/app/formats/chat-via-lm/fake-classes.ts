import type { LmClasses } from '../../../../app/formats/lm/language-model.ts';

/** VS Code's classes as far as they are used, with their fields under VS Code's names. */
export class TextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
export class CallPart {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}
export class ResultPart {
  readonly callId: string;
  readonly content: object[];
  constructor(callId: string, content: object[]) {
    this.callId = callId;
    this.content = content;
  }
}
export class DataPart {
  readonly data: Uint8Array;
  readonly mimeType: string;
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
  static image(data: Uint8Array, mime: string): DataPart {
    return new DataPart(data, mime);
  }
}
export class ThinkingPart {
  readonly value: string | string[];
  readonly id: string | undefined;
  constructor(value: string | string[]) {
    this.value = value;
  }
}
export interface FakeMessage {
  role: 'user' | 'assistant';
  content: object[];
}

export const fakeClasses: LmClasses<FakeMessage, TextPart, DataPart, CallPart, ResultPart> = {
  LanguageModelTextPart: TextPart,
  LanguageModelToolCallPart: CallPart,
  LanguageModelToolResultPart: ResultPart,
  LanguageModelDataPart: DataPart,
  LanguageModelChatMessage: {
    User: (content) => ({ role: 'user', content }),
    Assistant: (content) => ({ role: 'assistant', content }),
  },
};
