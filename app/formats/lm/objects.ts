import type { LmImagePart, LmMessage, LmRequest, LmResultPart, LmTextPart } from './request.ts';

/**
 * The classes of VS Code's language-model API that a request is made of, by what each makes. The module `vscode` has
 * all of them, which the types of its version 1.106 are checked against (`vscode/editor-models.ts`).
 */
export interface LmClasses<Message, Text, Image, Call, Result> {
  readonly LanguageModelTextPart: new (value: string) => Text;
  readonly LanguageModelToolCallPart: new (callId: string, name: string, input: object) => Call;
  readonly LanguageModelToolResultPart: new (callId: string, content: (Text | Image)[]) => Result;
  readonly LanguageModelDataPart: { image(data: Uint8Array, mime: string): Image };
  readonly LanguageModelChatMessage: {
    User(content: (Text | Image | Result)[]): Message;
    Assistant(content: (Text | Call)[]): Message;
  };
}

/** The class by which texts are told from other parts. */
export interface LmTextClass {
  readonly LanguageModelTextPart: new (value: string) => object;
}

/** The messages of a request as objects of the API. */
export function lmMessages<Message, Text, Image, Call, Result>(
  classes: LmClasses<Message, Text, Image, Call, Result>,
  { messages }: LmRequest,
): Message[] {
  const {
    LanguageModelTextPart: TextPart,
    LanguageModelToolCallPart: CallPart,
    LanguageModelToolResultPart: ResultPart,
    LanguageModelDataPart: data,
    LanguageModelChatMessage: message,
  } = classes;
  const content = (part: LmTextPart | LmImagePart): Text | Image =>
    part.kind === 'text' ? new TextPart(part.text) : data.image(part.data, part.type);
  const userPart = (part: LmTextPart | LmImagePart | LmResultPart): Text | Image | Result =>
    part.kind === 'result' ? new ResultPart(part.id, part.content.map(content)) : content(part);
  return messages.map(
    (each: LmMessage): Message =>
      each.role === 'user'
        ? message.User(each.parts.map(userPart))
        : message.Assistant(
            each.parts.map((part) =>
              part.kind === 'call' ? new CallPart(part.id, part.name, part.input) : new TextPart(part.text),
            ),
          ),
  );
}
