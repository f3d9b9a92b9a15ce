import type { AnswersTo } from '../api/app.ts';
import type { recordingCalls } from '../api/calls/exchanges.ts';
import type { Recorder } from './recorder.ts';

export function recordingAnswers(recorder: Recorder): AnswersTo<typeof recordingCalls> {
  return {
    recorded: (id) => recorder.recorded(id),
    recordedIds: () => recorder.ids(),
    searchBodies: (words) => recorder.search(words),
    recordedBody: (id, view, options) => recorder.body(id, view, options),
    record: (on) => recorder.switch(on),
    forgetBodies: () => recorder.forget(),
  };
}
