import { describe, expect, it } from 'vitest';
import {
  answersOf,
  contentOf,
  type FormField,
  fieldProblem,
  isAnswered,
  presetsOf,
  readForm,
} from '../../../../renderer/sessions/questions/form-fields.ts';
import { formQuestion } from '../questions.ts';

const asked = {
  mode: 'form',
  toolCallId: 'toolu_1',
  message: 'Please answer the following questions.',
  requestedSchema: {
    type: 'object',
    properties: {
      question_0: {
        type: 'string',
        title: 'DB',
        description: 'Which database?',
        oneOf: [
          { const: 'Postgres', title: 'Postgres', description: 'the usual' },
          {
            const: 'SQLite',
            title: 'SQLite',
            _meta: { '_claude/askUserQuestionOption': { preview: 'one file' } },
          },
        ],
      },
      question_0_custom: { type: 'string', title: 'Other' },
      question_1: { type: 'array', description: 'Which features?', items: { anyOf: [{ const: 'A' }, { const: 'B' }] } },
      question_1_custom: { type: 'string', title: 'Other' },
    },
  },
};

function questions(request: unknown = asked) {
  const form = readForm(formQuestion(request));
  if (form.kind !== 'questions') throw new Error('These are no questions.');
  return form.questions;
}

function fields(properties: object, required: string[] = []): readonly FormField[] {
  const form = readForm(formQuestion({ mode: 'form', message: 'x', requestedSchema: { properties, required } }));
  if (form.kind !== 'form') throw new Error('This is no form.');
  return form.fields;
}

describe('questions of Claude', () => {
  it('have a heading, words, choices and a field for other words', () => {
    expect(questions()).toMatchObject([
      {
        ...{ heading: 'DB', question: 'Which database?', isSeveral: false, name: 'question_0' },
        otherName: 'question_0_custom',
        choices: [
          { value: 'Postgres', description: 'the usual', preview: null },
          { value: 'SQLite', description: null, preview: 'one file' },
        ],
      },
      { heading: 'Question 2', question: 'Which features?', isSeveral: true, otherName: 'question_1_custom' },
    ]);
  });

  it('take the words of the only one from the message', () => {
    const { question_0 } = asked.requestedSchema.properties;
    const { description: _, ...only } = question_0;
    const one = { ...asked, message: 'Which one?', requestedSchema: { properties: { question_0: only } } };
    expect(questions(one)).toMatchObject([{ question: 'Which one?', otherName: null }]);
  });

  it('are answered by a choice, by other words, or by both where any number counts', () => {
    expect(isAnswered({ values: [], other: null })).toBe(false);
    expect(isAnswered({ values: ['A'], other: ' ' })).toBe(false);
    expect(
      answersOf(questions(), [
        { values: ['SQLite'], other: null },
        { values: ['A', 'B'], other: ' more ' },
      ]),
    ).toEqual({
      question_0: 'SQLite',
      question_1: ['A', 'B'],
      question_1_custom: 'more',
    });
    expect(
      answersOf(questions(), [
        { values: [], other: 'None' },
        { values: [], other: 'x' },
      ]),
    ).toEqual({
      question_0_custom: 'None',
      question_1: [],
      question_1_custom: 'x',
    });
  });
});

describe('a form of a server', () => {
  it('has fields by their types', () => {
    const read = fields(
      {
        name: { type: 'string', title: 'Name' },
        age: { type: 'integer', minimum: 0, maximum: 150, default: 30 },
        size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
        on: { type: 'boolean', default: true },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
      },
      ['name'],
    );
    expect(read.map(({ kind, label, isRequired }) => [kind, label, isRequired])).toEqual([
      ['text', 'Name', true],
      ['number', 'age', false],
      ['one', 'size', false],
      ['switch', 'on', false],
      ['several', 'tags', false],
    ]);
    expect(presetsOf(read)).toEqual({ name: '', age: '30', size: 'm', on: true, tags: [] });
    expect(contentOf(read, { ...presetsOf(read), name: 'Ada', tags: ['a'] })).toEqual({
      ...{ name: 'Ada', age: 30, size: 'm', on: true, tags: ['a'] },
    });
    expect(contentOf(read, presetsOf(read))).toEqual({ age: 30, size: 'm', on: true });
  });

  it.each([
    [{ type: 'number', minimum: 1, maximum: 5 }, '6', 'Write a number from 1 to 5.'],
    [{ type: 'number', minimum: 1, maximum: 5 }, '5', null],
    [{ type: 'integer' }, '1.5', 'Write a whole number.'],
    [{ type: 'number' }, 'x', 'Write a number.'],
    [{ type: 'string', minLength: 2 }, 'a', 'Write at least 2 characters.'],
    [{ type: 'string', format: 'email' }, 'a', 'Write an email address.'],
    [{ type: 'string', format: 'email' }, 'a@b', null],
    [{ type: 'string', format: 'uri' }, 'a', 'Write an address with its scheme, such as https://.'],
    [{ type: 'string', pattern: '^a+$' }, 'b', 'Write it as ^a+$'],
    [{ type: 'string', pattern: '(' }, 'b', null],
    [{ type: 'string' }, '', 'Required.'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b'], 'Choose up to 1.'],
  ])('%j with %j: %s', (shape, value, problem) => {
    const [field] = fields({ x: shape }, ['x']);
    expect(field && fieldProblem(field, value)).toBe(problem);
  });

  it('may be an address', () => {
    const request = { mode: 'url', message: 'Sign in', url: 'https://example.com/a', elicitationId: '1' };
    expect(readForm(formQuestion({ ...request, _meta: { jumpseat: { server: 'notes' } } }))).toEqual({
      kind: 'address',
      server: 'notes',
      message: 'Sign in',
      address: request.url,
    });
  });

  it.each([null, {}, { requestedSchema: { properties: { a: 7 } } }])('of an unknown shape is read (%j)', (request) => {
    expect(readForm(formQuestion(request))).toMatchObject({ kind: 'form' });
  });
});
