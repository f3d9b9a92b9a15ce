import { ReaderBehind } from '../answer/reader-behind.ts';
import { isObject, type JsonObject, parseObject } from '../wire/json.ts';

/** A reader of what another reader writes as a Messages stream, event by event. */
export abstract class MessagesBehind extends ReaderBehind {
  /** What Copilot said that the answer cost; null where it did not. */
  protected bill: unknown = null;

  protected override event(_type: string | null, data: string): boolean {
    const event = parseObject(data);
    switch (event?.type) {
      case 'message_start':
        this.started();
        break;
      case 'content_block_start':
        if (isObject(event.content_block)) this.blockStarted(event.content_block);
        break;
      case 'content_block_delta':
        if (isObject(event.delta)) this.blockGrew(event.delta);
        break;
      case 'content_block_stop':
        this.blockStopped();
        break;
      case 'message_delta':
        this.bill = event.copilot_usage ?? this.bill;
        if (isObject(event.delta)) this.messageChanged(event.delta);
        break;
      case 'message_stop':
        this.ended();
        return false;
    }
    return true;
  }

  protected abstract started(): void;
  protected abstract blockStarted(block: JsonObject): void;
  protected abstract blockGrew(delta: JsonObject): void;
  protected abstract ended(): void;

  protected blockStopped(): void {}

  protected messageChanged(_delta: JsonObject): void {}
}
