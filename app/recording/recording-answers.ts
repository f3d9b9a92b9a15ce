import type { AnswersTo } from '../api/app.ts';
import type { recordingCalls } from '../api/calls/exchanges.ts';
import { t } from '../language/translate.ts';
import type { Recorder } from './recorder.ts';

class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly remedy: string;
  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** @param mayRecord what the settings say */
export function recordingAnswers(recorder: Recorder, mayRecord: () => boolean): AnswersTo<typeof recordingCalls> {
  return {
    recorded: (id) => recorder.recorded(id),
    recordedIds: () => recorder.ids(),
    searchBodies: (words) => recorder.search(words),
    recordedBody: (id, view, options) => recorder.body(id, view, options),
    record: (on) => {
      if (on && !mayRecord())
        throw new RecordingError(
          t('Bodies can’t be recorded: it is turned off in the settings.'),
          t('Set mayRecord to true, unless your organization set it.'),
        );
      recorder.switch(on);
    },
    forgetBodies: () => recorder.forget(),
  };
}
