import { expect, test } from 'vitest'
import type { DatasetConfig, ModelConfig } from '../../../../rolecall/src/evaluation/config/config-schema.ts'
import { compilePair } from '../../../../rolecall/src/evaluation/run/ask/plan-requests.ts'
import { planPreview, rowPrompts } from '../../../../rolecall/src/evaluation/run/ask/row-prompts.ts'
import { judgeMaker, judgePrompts, judgePromptText, promptColumns } from '../../../../rolecall/src/evaluation/run/judge-prompts.ts'
import { judgeQuestions } from './judge-questions.ts'

const judge = { type: 'openai', path: 'judge', format: 'chatml' } as ModelConfig
const dialogue = {
  template: { begin: [{ role: 'SYSTEM', prompt: 'Judge.' }], round: [{ role: 'HUMAN', prompt: '{question}: {prediction}, {gold}' }] },
}

/** The prompts as the page renders them. */
const rendered = (dataset: DatasetConfig, row: Record<string, string>, record: Parameters<typeof judgeQuestions>[2]) =>
  judgeQuestions(dataset, row, record).map(({ judge: model, dataset: asked, fields }) => {
    const plan = planPreview(compilePair(model, asked, { model: 'judge', dataset: 'judge' }), {})
    return judgePromptText(rowPrompts(plan, { row: fields, examples: [] })[0]!.rendered.prompt)
  })

test('the page renders the prompts of a judge as the run does: one answer, several, two in both orders, the rounds of a chat', () => {
  const row = { question: 'Q', gold: 'G' }
  const datasetOf = (template: unknown, more: object = {}, options: object = {}) =>
    ({
      abbr: 'd',
      infer_cfg: { prompt_template: { template: '{question}' } },
      eval_cfg: { evaluator: { type: 'GenericLLMEvaluator', judge_cfg: judge, prompt_template: template, ...options } },
      ...more,
    }) as unknown as DatasetConfig
  const sent = (template: unknown, given: object, packsRounds = false) =>
    judgePrompts(
      { maker: judgeMaker(judge, template, 'd › eval_cfg.evaluator'), columns: promptColumns(template), packsRounds },
      { row, reference: 'G', prediction: null, ...given },
    ).map(judgePromptText)
  const gold = 'G'
  expect(rendered(datasetOf(dialogue), row, { gold, details: { pred: 'one' } })).toEqual(sent(dialogue, { prediction: 'one' }))
  const several = { gold, details: { pred: ['one', 'two'], samples: [{ answer: 'G' }] } }
  expect(rendered(datasetOf(dialogue, { n: 2 }), row, several as never)).toEqual(sent(dialogue, { prediction: ['one', 'two'] }))
  const both = { template: '{prediction} {prediction2}' }
  expect(rendered(datasetOf(both), row, { gold, details: { pred: 'one', opponent: 'two' } })).toEqual(
    sent(both, { prediction: 'one', opponent: 'two' }),
  )
  const rounds = ['one', 'two']
  const chat = { gold, details: { pred: rounds } }
  const byRound = { template: '{prediction_r1} then {prediction_r2}' }
  expect(rendered(datasetOf(byRound), row, chat)).toEqual(sent(byRound, { prediction: "['one', 'two']", rounds }))
  expect(rendered(datasetOf(dialogue, {}, { pack_all_predictions: true }), row, chat)).toEqual(
    sent(dialogue, { prediction: "['one', 'two']", rounds }, true),
  )
  expect(judgeQuestions({ abbr: 'd', infer_cfg: { prompt_template: { template: '' } } }, row, chat)).toEqual([])
})
