import type { LmImagePart, LmMessage, LmRequest, LmResultPart, LmTextPart } from './request.ts';

/**
 * The classes of VS Code's language-model API that a request is made of. The module `vscode` has all of them, which the
 * types of its version 1.106 are checked against.
 */
export interface LmClasses<Message> {
  readonly LanguageModelTextPart: new (value: string) => object;
  readonly LanguageModelToolCallPart: new (callId: string, name: string, input: object) => object;
  readonly LanguageModelToolResultPart: new (callId: string, content: object[]) => object;
  readonly LanguageModelDataPart: { image(data: Uint8Array, mime: string): object };
  readonly LanguageModelChatMessage: { User(content: object[]): Message; Assistant(content: object[]): Message };
}

/** The messages of a request as objects of the API. */
export function lmMessages<Message>(classes: LmClasses<Message>, { messages }: LmRequest): Message[] {
  return messages.map((message) => lmMessage(classes, message));
}

function lmMessage<Message>(classes: LmClasses<Message>, message: LmMessage): Message {
  const { LanguageModelChatMessage: made, LanguageModelToolCallPart: Call } = classes;
  if (message.role === 'user') return made.User(message.parts.map((part) => userPart(classes, part)));
  return made.Assistant(
    message.parts.map((part) =>
      part.kind === 'call' ? new Call(part.id, part.name, part.input) : new classes.LanguageModelTextPart(part.text),
    ),
  );
}

function userPart(classes: LmClasses<unknown>, part: LmTextPart | LmImagePart | LmResultPart): object {
  if (part.kind !== 'result') return contentPart(classes, part);
  const content = part.content.map((inner) => contentPart(classes, inner));
  return new classes.LanguageModelToolResultPart(part.id, content);
}

function contentPart(classes: LmClasses<unknown>, part: LmTextPart | LmImagePart): object {
  return part.kind === 'text'
    ? new classes.LanguageModelTextPart(part.text)
    : classes.LanguageModelDataPart.image(part.data, part.type);
}
