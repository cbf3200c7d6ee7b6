import { describe, expect, test } from 'vitest'
import { check } from '../../../../../../core/src/base/errors/check.ts'
import { figuresOfJudged } from '../../../../evaluation/score/postprocess/judge-postprocessor.ts'
import { judgePostprocessorOf, judgePostprocessors } from '../../../../evaluation/score/postprocess/judge-postprocessors.ts'
import { pythonDictPostprocessors } from '../../../own-python/python-dict-postprocessor.ts'
import { registerOpenCompass } from '../../register-opencompass.ts'
import { winRate } from './win-rate.ts'

registerOpenCompass()

type Said = readonly { said: string; gold?: Record<string, unknown> | string; row?: Record<string, unknown> }[]

function figures(config: unknown, said: Said): Record<string, number> {
  const { postprocessor, options } = judgePostprocessorOf(config, 'dict_postprocessor')!
  const kept = said.map(({ said: words, gold, row = {} }, index) =>
    postprocessor.read({ said: words, gold: gold as never, row: row as never, index }, options),
  )
  return figuresOfJudged(postprocessor, kept, options)
}

describe("every postprocessor's worked example from the docs", () => {
  // Users' own code: src/compat/own-python/worked-examples.test.ts. Tests that ran before in this process may have registered it.
  const own = new Set<object>(pythonDictPostprocessors)
  const theirs = [...new Set(judgePostprocessors.values())].filter((one) => !own.has(one))
  test.each(theirs.map((one) => [one.names[0]!, one] as const))('%s', (type, { example, metric, options }) => {
    const found = figures({ type, ...example.options }, example.judged as Said)
    for (const [name, figure] of Object.entries(example.figures)) expect(found[name], name).toBeCloseTo(figure, 2)
    expect(found).toHaveProperty([typeof metric === 'string' ? metric : metric(check(options, example.options ?? {}, 'options'))])
  })
})

test('a class path is accepted', () => {
  expect(judgePostprocessorOf('opencompass.datasets.simpleqa.simpleqa_postprocess', 'x')).toBeDefined()
  expect(judgePostprocessorOf({ type: 'last_verdict' }, 'x')).toBeUndefined()
  expect(judgePostprocessorOf(undefined, 'x')).toBeUndefined()
  expect(() => judgePostprocessorOf({ type: 'compassarena', summary: 1 }, 'x')).toThrow(/summary/)
})

test.each(['mtbench', 'fofo', 'writingbench', 'alignbench', 'hellobench', 'elbench_safety', 'wildbench', 'arenahard'])(
  'where %s can read nothing, there is no figure',
  (type) => {
    expect(() => figures(type, [{ said: 'I cannot tell.' }])).toThrow(/could read was said about any of the answers/)
    expect(() => figures(type, [])).toThrow(/not|nothing/)
  },
)

describe("metrics equal the reference's", () => {
  test('a letter anywhere counts', () => {
    expect(figures('simpleqa_postprocess', [{ said: 'NOT_ATTEMPTED' }, { said: 'CORRECT' }])).toMatchObject({ accuracy: 50 })
    expect(
      figures({ type: 'generic_llmjudge_academic_postprocess', metric_name: 'score' }, [{ said: 'CORRECT' }, { said: 'A' }]),
    ).toMatchObject({
      score: 50,
      score_given_attempted: 100,
      not_attempted_count: 1,
    })
  })

  test('subjects within subjects', () => {
    const row = (field: string) => ({ discipline: 'Law', field, subfield: 'S' })
    expect(
      figures('supergpqa_llmjudge_postprocess', [
        { said: 'A', row: row('F1') },
        { said: 'so B', row: row('F2') },
      ]),
    ).toEqual({
      accuracy: 50,
      total_correct: 1,
      total_count: 2,
      'SuperGPQA-Law': 50,
      'SuperGPQA-Law-F1': 100,
      'SuperGPQA-Law-F2': 0,
      'SuperGPQA-Law-F1-S': 100,
      'SuperGPQA-Law-F2-S': 0,
    })
  })

  test("AlignBench's marks are parsed in braces and in lines, and must be valid marks", () => {
    const gold = { capability: '逻辑推理' }
    expect(figures('alignbench', [{ said: "{'综合得分': 4}", gold }])).toMatchObject({ 逻辑推理: 4, 中文推理总分: 2 })
    expect(figures('alignbench', [{ said: '事实正确性：8\n满足用户需求：7\n清晰度：9\n完备性：6\n综合 5', gold }])).toMatchObject({
      逻辑推理: 5,
    })
    for (const said of ["{'综合得分': 11}", "{'其他': 3, '综合得分': 3}", "{\n'综合得分': 4}"]) {
      expect(() => figures('alignbench', [{ said, gold }])).toThrow(/alignbench/)
    }
  })

  test('the lowest mark of a dialogue counts', () => {
    const gold = { task: 'CM', multi_id: 1 }
    expect(
      figures('mtbench101', [
        { said: '[[8]]', gold },
        { said: '[3] [9]', gold },
        { said: '[[5]]', gold: { task: 'SI', multi_id: 1 } },
      ]),
    ).toEqual({
      avg: 4,
      CM: 3,
      SI: 5,
    })
  })

  test('a mark that is not a number is an error, as in the reference', () => {
    expect(() => figures('mtbench', [{ said: 'Rating: [[1.2.3]]', gold: { capability: 'x' } }])).toThrow(/"1.2.3", which is not a number/)
  })

  test('the last line lists the met constraints, and is never executed', () => {
    const rows = [1, 2, 3, 4, 5].map((level) => ({
      said: level === 2 ? "__import__('os').abort()\n['YES', 'NO']" : 'YES',
      gold: { level },
    }))
    expect(figures('followbench', rows)).toMatchObject({ HSR_L1: 1, HSR_L2: 0, SSR_L2: 0.5, HSR_L3: 0 })
  })

  test('the position that a judge prefers', () => {
    const gold = (first: string, second: string, question: string) => ({ answer1: first, answer2: second, capability: 'math', question })
    const said = [
      { said: 'Choice: A', gold: gold('x', 'y', 'q1') },
      { said: '选择：A', gold: gold('y', 'x', 'q1') },
      { said: 'Choice: C', gold: gold('x', 'y', 'q2') },
    ]
    expect(figures('compassarena', said)).toEqual({ math: 33.33, position_bias: 1 })
    expect(figures({ type: 'compassarena', summary_type: 'half_add', check_pos_bias: false }, said)).toEqual({ math: 50, position_bias: 0 })
  })
})

describe("a model's win probability", () => {
  const battle = (first: string, second: string, gain: number, times = 1) => ({ first, second, gain, times })

  test('against the baseline alone it is the share of wins, with ties as half', () => {
    expect(winRate([battle('base', 'mine', 1, 3), battle('mine', 'base', 0)], 'base')).toBe(0.125)
  })

  test('with several models the best one counts, by ratings fitted to all battles', () => {
    const battles = [
      ...[battle('base', 'a', 1, 1), battle('base', 'a', -1, 3)],
      ...[battle('a', 'b', 1, 1), battle('a', 'b', -1, 3)],
      ...[battle('base', 'b', -1, 9), battle('base', 'b', 1, 1)],
    ]
    // The odds 1:3 and 1:3 fit 1:9 exactly.
    expect(winRate(battles, 'base')).toBeCloseTo(0.9, 6)
  })

  test('without the baseline there is no comparison', () => {
    expect(() => winRate([battle('a', 'b', 1)], 'base')).toThrow(/"base" is in none of the comparisons/)
  })
})
