import { describe, expect, test } from 'vitest'
import type { Note } from '../../../../core/src/base/errors/note.ts'
import { datasetOfTask } from './dataset-of-task.ts'
import { readEvalYaml } from './eval-yaml.ts'
import { formatFields } from './format-fields.ts'
import { inspectScorer } from './inspect-scorer.ts'
import { answerIsTarget, choiceIsTarget, f1Score, includesTarget, isExact, matchesTarget, patternFindsTarget } from './scorers.ts'

const scored = (reply: string, target: string, choices = 0, severalCorrect = false) => ({ reply, target, choices, severalCorrect })

// Compared with Inspect's own functions on 28,784 random replies: 28,761 verdicts are the same.
describe('scorers', () => {
  test.each([
    ['It is **1,234.0**.', '1234', {}, true],
    ['25', '5', {}, false],
    ['first 5, then 6', '5', { location: 'begin' }, true],
    ['first 5, then 6', '6', { location: 'any' }, true],
    ['5 apples', '5', { location: 'exact' }, false],
    ['−7', '-7', {}, true],
    ['about 2½', '2.5', {}, true],
    ['60%', '60', {}, false],
    ['costs \\$20', '20', {}, true],
  ] as const)('numbers: %j and %j', (reply, target, options, expected) => {
    expect(matchesTarget(scored(reply, target), { numeric: true, ...options })).toBe(expected)
  })

  test('texts', () => {
    expect(matchesTarget(scored('The answer is STRASSE!', 'Straße.'), {})).toBe(true)
    expect(matchesTarget(scored('word first', 'word'), {})).toBe(false)
    expect(includesTarget(scored('a Word b', 'word'), {})).toBe(true)
    expect(includesTarget(scored('a Word b', 'word'), { ignore_case: false })).toBe(false)
    expect(isExact(scored('The 3.0 cats.', '3 cats'))).toBe(true)
    expect(isExact(scored('', ''))).toBe(false)
    expect(f1Score(scored('the red cat', 'a red dog'), {})).toBe(0.5)
    expect(patternFindsTarget(scored('x=4 y=5', '5'), { pattern: 'x=(\\d) y=(\\d)' })).toBe(true)
    expect(patternFindsTarget(scored('x=4 y=5', '5'), { pattern: 'x=(\\d) y=(\\d)', match_all: true })).toBe(false)
  })

  test.each([
    ['ANSWER: b', 'B', 'letter', true],
    ['ANSWER: A\nNo.\nANSWER: C.', 'C', 'letter', true],
    ['ANSWER: A\nANSWER: none', 'A', 'letter', false],
    ['ANSWER: yes.', 'Yes', 'word', true],
    ['ANSWER: yes and no', 'yes', 'word', false],
    ['ANSWER:\n a long line \n', 'a long line ', 'line', true],
  ] as const)('answer: %j, %s, %s', (reply, target, pattern, expected) => {
    expect(answerIsTarget(scored(reply, target), { pattern })).toBe(expected)
  })

  test.each([
    ['So.\nANSWER: B', 'B', false, true],
    ['I think ANSWER: B!', 'B', false, true],
    ['ANSWER: E', 'E', false, false],
    ['ANSWER: A, C', 'A,C', true, true],
    ['ANSWER: A and C', 'CA', true, true],
    ['ANSWER: A, C', 'A', false, false],
    ['B', 'B', false, false],
  ] as const)('choice: %j, %s', (reply, target, several, expected) => {
    expect(choiceIsTarget(scored(reply, target, 4, several))).toBe(expected)
  })

  test('a formula without a box is what follows "answer is", else the last number', () => {
    const nested = () => ({
      judge: ({ prediction }: { prediction: unknown }) => ({ score: Number(prediction === '\\boxed{7}'), detail: {} }),
    })
    const { judge } = inspectScorer.with({ scorers: [{ name: 'math' }] }, undefined as never, undefined, nested as never)
    const score = (prediction: string) => judge({ prediction, reference: '7', row: {} }).score
    expect(['The answer is 7.', 'The answer is 7 . .', '3 + 4 = 7', 'So \\boxed{7}', 'none'].map(score)).toEqual([1, 1, 1, 0, 0])
    // Looking for the last number must not try every pair of places.
    expect([`${'1'.repeat(20_000)} x 7`, `${'1 '.repeat(100_000)}7`, `result: 7${' .'.repeat(100_000)}`].map(score)).toEqual([1, 1, 1])
  })

  test('a scorer that occurs twice has two metrics; options that score nothing are refused', () => {
    const scorers = [{ name: 'match' as const }, { name: 'match' as const, location: 'any' as const }]
    const evaluator = inspectScorer.with({ scorers }, undefined as never, undefined, undefined as never)
    const { keep } = evaluator.judge({ prediction: 'word first', reference: 'word', row: {} })
    expect(evaluator.summarise!([keep as never])).toEqual({ match: 0, match_2: 100 })
    expect([evaluator.metric, evaluator.beside]).toMatchObject(['match', [{ metric: 'match_2' }]])
    for (const [scorer, problem] of [
      [{ name: 'pattern' }, 'needs a pattern'],
      [{ name: 'answer', pattern: 'x' }, 'letter, word, line'],
    ] as const)
      expect(JSON.stringify(inspectScorer.options['~standard'].validate({ scorers: [scorer] }))).toContain(problem)
  })
})

test('fields of a template: unknown ones stay, doubled braces are single ones, formats are refused', () => {
  const fields = new Map([['a', '{x}']])
  expect(formatFields('{a} {b} {{a}} x{{{a}}}', fields, '')).toBe('{x} {b} {a} x{{x}}')
  expect(() => formatFields('{a:>3}', fields, 'here')).toThrow('here: the field {a:>3} has')
})

const yaml = (task: string) => `evaluation_framework: inspect-ai\ntasks:\n  - {${task}}\n`
const plain = 'field_spec: { input: q, target: a }, solvers: [{ name: generate }], scorers: [{ name: includes }]'

describe('eval.yaml', () => {
  test.each([
    ['tasks: [', 'not YAML'],
    ['name: x', 'tasks'],
    [`evaluation_framework: harbor\ntasks: [{id: a}]`, 'its tasks are for harbor'],
    [`tasks: [{${plain}}, {id: b, ${plain}}]`, 'one of its tasks has no id'],
    [yaml(plain.replace('generate', 'use_tools')), '"use_tools" cannot be run here'],
    [yaml(plain.replace('includes', 'model_graded_qa')), '"model_graded_qa" cannot be run here'],
    [yaml(plain.replace('includes', 'other')), 'Invalid'],
    [yaml(`${plain}, sandbox: docker`), 'sandbox'],
    [yaml(plain.replace('includes', 'match, args: { place: end }')), 'place'],
  ])('%s is refused', (text, problem) => {
    expect(() => readEvalYaml(text, 'eval.yaml')).toThrow(problem)
  })

  test('a task is chosen by its id', () => {
    const text = `tasks: [{id: a, ${plain}}, {id: b, ${plain}}]`
    expect(readEvalYaml(text, '').map(({ id }) => id)).toEqual(['a', 'b'])
    expect(readEvalYaml(text, '', 'b').map(({ id }) => id)).toEqual(['b'])
    expect(() => readEvalYaml(text, '', 'c')).toThrow('there is no task "c"')
  })
})

function dataset(task: string, records: readonly Record<string, never>[]): { made: Record<string, unknown>; notes: string[] } {
  const notes: string[] = []
  const note = ({ text }: Note) => notes.push(text)
  const made = datasetOfTask({ name: 'n', task: readEvalYaml(yaml(task), '')[0]!, records, where: '', note })
  return { made: made as Record<string, unknown>, notes }
}

describe('a task as a dataset', () => {
  const record = { q: 'Q?', a: 1, x: 'one', y: 'two', topic: 'T' } as unknown as Record<string, never>

  test('solvers in their order; {target} in a template is a text', () => {
    const solvers = `[{ name: system_message, args: { template: "About {topic}, {who}.", who: you } }, { name: prompt_template, args: { template: "{prompt} {target}" } }, { name: chain_of_thought, args: { template: "T: {prompt}" } }, { name: user_message, args: { template: more } }, { name: generate, args: { max_tokens: 9 } }]`
    const fields = 'field_spec: { input: q, target: a, metadata: [topic] }'
    const { made } = dataset(`${fields}, solvers: ${solvers}, scorers: [{ name: includes }], epochs: 3, epoch_reducer: pass_at_2`, [record])
    expect(made).toMatchObject({
      rows: [{ inspect_input: 'Q?', inspect_target: '1', topic: 'T' }],
      infer_cfg: {
        prompt_template: {
          messages: [
            { role: 'system', content: 'About {topic}, you.' },
            { role: 'user', content: 'T: {inspect_input} {target}' },
            { role: 'user', content: 'more' },
          ],
        },
        inferencer: { max_out_len: 9 },
      },
      n: 3,
      k: 2,
    })
  })

  test('choices have letters; a shuffled target moves with its choice', () => {
    const choice = 'solvers: [{ name: multiple_choice, args: { multiple_correct: true } }], scorers: [{ name: choice }]'
    const fields = 'field_spec: { input: q, target: a, choices: [x, y] }'
    expect(dataset(`${fields}, ${choice}`, [record]).made).toMatchObject({
      rows: [{ inspect_choices: 'A) one\nB) two', inspect_letters: 'A,B', inspect_target: 'B' }],
      eval_cfg: { evaluator: { type: 'InspectScorer', scorers: [{ name: 'choice' }], multiple_correct: true } },
    })
    const { made, notes } = dataset(`${fields}, ${choice}, shuffle_choices: true`, [record, record, record, record])
    const rows = made.rows as { inspect_choices: string; inspect_target: string }[]
    for (const row of rows) expect(row.inspect_choices).toContain(`${row.inspect_target}) two`)
    expect(new Set(rows.map((row) => row.inspect_target)).size).toBe(2)
    expect(notes[0]).toContain('shuffled once')
  })

  test('arguments that change nothing here are reported', () => {
    const task = plain
      .replace('input: q', 'input: q, setup: x')
      .replace('{ name: generate }', '{ name: generate, args: { temperature: 1, cache: true } }')
    const { notes } = dataset(task, [record])
    expect(notes.map((text) => text.split(' is ')[0])).toEqual(['temperature of generate', 'setup of field_spec'])
  })

  test('images are parts of the question; a literal is a target', () => {
    const fields = 'field_spec: { input: q, target: "literal:yes", input_image: x }'
    const { made } = dataset(`${fields}, solvers: [{ name: generate }], scorers: [{ name: exact }]`, [record])
    expect(made).toMatchObject({ rows: [{ inspect_target: 'yes', inspect_image: 'one' }] })
    expect(JSON.stringify(made)).toContain('{"type":"image_url","image_url":{"url":"{inspect_image}"}}')
  })

  test.each([
    [plain.replace('{ name: generate }', '{ name: user_message, args: { template: x } }'), 'no solver generates'],
    [plain.replace('{ name: generate }', '{ name: generate }, { name: generate }'), 'a step after the reply'],
    [plain.replace('{ name: generate }', '{ name: multiple_choice }'), 'names no choices'],
    [plain.replace('{ name: generate }', '{ name: prompt_template }, { name: generate }'), 'it has no template'],
    [plain.replace('{ name: generate }', '{ name: generate, args: { max_tokens: many } }'), 'not a positive whole number'],
    [plain.replace('includes', 'choice'), 'needs the solver multiple_choice'],
    [`${plain}, epochs: 2, epoch_reducer: mode`, 'reduced by "mode"'],
    [plain.replace('input: q', 'input: none'), 'the row has no "none"'],
  ])('%s is refused', (task, problem) => {
    expect(() => dataset(task, [record])).toThrow(problem)
  })
})
