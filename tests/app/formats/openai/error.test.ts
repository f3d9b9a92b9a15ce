import { expect, it } from 'vitest';
import { openaiError } from '../../../../app/formats/openai/error.ts';

it('always has all four keys', () => {
  expect(openaiError('invalid_request_error', 'No.', null)).toEqual({
    error: { message: 'No.', type: 'invalid_request_error', code: null, param: null },
  });
  expect(openaiError('invalid_request_error', 'No.', 'model_not_found', 'model')).toEqual({
    error: { message: 'No.', type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
  });
});
