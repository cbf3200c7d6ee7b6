import { describe, expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

// Every command that reads a config reports the same mistake with the same message, before any request.

const file = 'eval.json'
const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['run', ['run', file, '--no-cache', '-w', 'out']],
  ['run --dry-run', ['run', file, '--dry-run']],
  ['render', ['render', file]],
  ['render --json', ['render', file, '--json']],
  ['tokens', ['tokens', file]],
  ['view', ['view', file, '--export', 'site']],
  ['serve', ['serve', file, '--port', '0']],
  ['score', ['score', 'nowhere', '--config', file]],
]

const model = { abbr: 'm', type: 'openai', path: 'qwen', format: 'chatml', base_url: 'http://127.0.0.1:9/v1' }
const infer_cfg = { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } }
const dataset = { abbr: 'd', rows: [{ q: '1+1=?', a: '2' }], reader_cfg: { input_columns: ['q'], output_column: 'a' }, infer_cfg }
const config = (models: object, datasets: object) => ({ models: [{ ...model, ...models }], datasets: [{ ...dataset, ...datasets }] })

type Mistake = readonly [name: string, config: object, told: string]

const errors: readonly Mistake[] = [
  ['an address by another name', config({ url: 'http://x' }, {}), 'models[0].url\n  "url" is not known here\n  → did you mean "base_url"?'],
  ['a limit by another name', config({ max_tokens: 5 }, {}), '"max_tokens" is not known here\n  → did you mean "max_out_len"?'],
  [
    'a misspelt setting',
    config({ generation_kwargs: { temprature: 1 } }, {}),
    'generation_kwargs.temprature\n  "temprature" is not known here',
  ],
  [
    'a format that there is not',
    config({ format: 'chatmll' }, {}),
    'models[0].format\n  there is no format "chatmll"\n  → did you mean "chatml"?',
  ],
  [
    'a type that there is not',
    config({ type: 'opnai' }, {}),
    'models[0].type\n  there is no model type "opnai"\n  → did you mean "openai"?',
  ],
  [
    'a misspelt key of the reader',
    config({}, { reader_cfg: { input_column: ['q'] } }),
    'reader_cfg.input_column\n  "input_column" is not known here',
  ],
  ...['plain', 'chatml', 'internlm2', 'messages'].map(
    (format): Mistake => [
      `a role that there is not, for ${format}`,
      config({ format }, { infer_cfg: { prompt_template: { template: { round: [{ role: 'USER', prompt: '{q}' }] } } } }),
      'prompt_template.template.round[0].role\n  there is no role "USER"\n  → did you mean "HUMAN"?',
    ],
  ),
  [
    'a misspelt evaluator',
    config({}, { eval_cfg: { evaluator: { type: 'AccEvaluater' } } }),
    'eval_cfg.evaluator.type\n  there is no evaluator "AccEvaluater"\n  → did you mean "AccEvaluator"?',
  ],
  [
    'an option that the evaluator does not take',
    config({}, { eval_cfg: { evaluator: { type: 'AccEvaluator', ignore_case: true } } }),
    'eval_cfg.evaluator.ignore_case\n  "ignore_case" is not known here',
  ],
  [
    'a misspelt postprocessor',
    config({}, { eval_cfg: { pred_postprocessor: 'frist_option_postprocess' } }),
    'eval_cfg.pred_postprocessor\n  there is no postprocessor "frist_option_postprocess"',
  ],
  [
    'a misspelt retriever',
    config({}, { infer_cfg: { ...infer_cfg, retriever: { type: 'FixkRetreiver' } } }),
    'infer_cfg.retriever.type\n  there is no retriever "FixkRetreiver"',
  ],
  [
    'a misspelt inferencer',
    config({}, { infer_cfg: { ...infer_cfg, inferencer: { type: 'GenInferncer' } } }),
    'infer_cfg.inferencer.type\n  there is no inferencer "GenInferncer"',
  ],
]

const remarks: readonly Mistake[] = [
  [
    'a key that nothing reads',
    config({ favourite_colour: 'blue' }, {}),
    `not used ${file} › models[0].favourite_colour: nothing here reads it`,
  ],
  [
    'a key of OpenCompass',
    config({ run_cfg: {} }, {}),
    `not used ${file} › models[0].run_cfg: Rolecall does not allocate GPUs or start models`,
  ],
  [
    'an option that this retriever does not read',
    config({}, { infer_cfg: { ...infer_cfg, retriever: { type: 'ZeroRetriever', ice_num: 3 } } }),
    `not used ${file} › datasets[0].infer_cfg.retriever.ice_num: ZeroRetriever does not read it`,
  ],
  [
    'an evaluator of another program',
    config({}, { eval_cfg: { evaluator: { type: 'mine.CodeWalletJudge' } } }),
    'warning there is no evaluator "CodeWalletJudge": answers cannot be scored',
  ],
]

// `serve` handles messages, and reads no rows.
const readsRows = commands.filter(([name]) => name !== 'serve' && name !== 'score')

const wrongRows: readonly Mistake[] = [
  [
    'a misspelt field',
    config({}, { infer_cfg: { prompt_template: { template: 'Q: {qq}' } } }),
    'error d › infer_cfg.prompt_template.template\n  no row has a column "qq" (they have: q, a)\n  → did you mean {q}?',
  ],
  [
    'a field near a column, in braces',
    config({}, { rows: [{ question: 'x', a: '1' }], reader_cfg: {}, infer_cfg: { prompt_template: { template: '{{qestion}}' } } }),
    'no row has a column "qestion" (they have: question, a)\n  → did you mean {question}?',
  ],
  [
    'a declared column that is not there',
    config(
      {},
      { reader_cfg: { input_columns: ['q', 'hint'], output_column: 'a' }, infer_cfg: { prompt_template: { template: '{q} {hint}' } } },
    ),
    'error d › reader_cfg.input_columns[1]\n  no row has a column "hint" (they have: q, a)',
  ],
  [
    'an answer column that is not there',
    config({}, { rows: [{ q: '1', answer: '2' }], reader_cfg: { input_columns: ['q'], output_column: 'answr' } }),
    'error d › reader_cfg.output_column\n  no row has a column "answr" (they have: q, answer)\n  → did you mean "answer"?',
  ],
]

describe.for(readsRows)('rolecall %s', ([, args]) => {
  test.for(wrongRows)('refuses %s before anything is asked', async ([, given, told]) => {
    const { code, stderr } = await rolecall(args, folderWith({ [file]: JSON.stringify(given) }))
    expect(stderr).toContain(told)
    expect(code).toBe(2)
  })
})

describe.for(commands)('rolecall %s', ([, args]) => {
  test.for(errors)('refuses %s', async ([, given, told]) => {
    const { code, stderr } = await rolecall(args, folderWith({ [file]: JSON.stringify(given) }))
    expect(code).toBe(2)
    expect(stderr).toContain(`error ${file} › `)
    expect(stderr).toContain(told)
  })

  test.for(remarks)('tells %s', async ([, given, told]) => {
    // No runtime supports this model: the mistakes are reported before that matters.
    const [first] = (given as ReturnType<typeof config>).models
    const foreign = { ...given, models: [{ ...first, type: 'VLLM' }] }
    const { stderr } = await rolecall(args, folderWith({ [file]: JSON.stringify(foreign) }))
    expect(stderr).toContain(told)
  })
})
