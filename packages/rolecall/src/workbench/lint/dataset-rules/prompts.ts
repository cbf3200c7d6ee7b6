import { promptText } from '@rolecall/core/internal/format'
import { textOf } from '@rolecall/core/internal/text'
import { ownExample } from '../../../evaluation/dataset/same-question.ts'
import type { DatasetRule, LintedPrompt } from '../dataset-rule.ts'
import { quote } from '../quote.ts'

const rows = [
  { question: '1+1=?', answer: '2' },
  { question: '1+2=?', answer: '3' },
]
const reader = { input_columns: ['question'], output_column: 'answer' }
const turns = (human: string, bot: string) => ({
  round: [
    { role: 'HUMAN', prompt: human },
    { role: 'BOT', prompt: bot },
  ],
})
const asked = { prompt_template: { template: turns('{question}', '{answer}') } }

/** A few-shot example that is the test row itself. */
export const exampleIsRow: DatasetRule = {
  id: 'example-is-row',
  severity: 'error',
  finds: 'A few-shot example in a prompt is the test row itself.',
  why: 'The prompt contains the answer to its own question.',
  fix: 'take examples from other rows: train_path, train_range, or another fix_id_list',
  example: {
    bad: {
      rows,
      reader_cfg: reader,
      infer_cfg: {
        ice_template: { template: turns('{question}', '{answer}') },
        prompt_template: { template: { begin: ['</E>'], ...turns('{question}', '{answer}') }, ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [0] },
      },
    },
    good: {
      rows,
      train_rows: [{ question: '5+5=?', answer: '10' }],
      reader_cfg: reader,
      infer_cfg: {
        ice_template: { template: turns('{question}', '{answer}') },
        prompt_template: { template: { begin: ['</E>'], ...turns('{question}', '{answer}') }, ice_token: '</E>' },
        retriever: { type: 'FixKRetriever', fix_id_list: [0] },
      },
    },
  },
  check({ dataset, rows: all }) {
    const own = all.filter(({ row, examples }) => ownExample(row, examples, dataset.reader_cfg) >= 0)
    const [first] = own
    if (first === undefined) return []
    const prompt = first.prompts[0]
    return [
      {
        path: 'infer_cfg.retriever',
        problem: `in ${own.length} of ${all.length} rows an example is the test row itself, first in row ${first.number}`,
        ...(prompt ? { shown: { of: `row ${first.number}, ${prompt.model}`, text: promptText(prompt.prompt) } } : {}),
      },
    ]
  },
}

/** A prompt that ends with a space. */
export const endsInSpace: DatasetRule = {
  id: 'ends-in-space',
  severity: 'warning',
  finds: "A dataset's template ends a prompt with a space.",
  why: 'In most vocabularies, tokens include the space before a word. After a trailing space the model must start with a token that is rare there, and answers get worse.',
  fix: 'remove the trailing space from the template',
  example: {
    bad: { rows, reader_cfg: reader, infer_cfg: { prompt_template: { template: 'Q: {question}\nA: ' } } },
    good: { rows, reader_cfg: reader, infer_cfg: { prompt_template: { template: 'Q: {question}\nA:' } } },
  },
  check({ rows: all }) {
    const ends = all.flatMap(({ number, prompts }) => prompts.filter(endsOpen).map((prompt) => ({ number, ...prompt })))
    const [first] = ends
    if (first === undefined) return []
    const text = promptText(first.prompt)
    return [
      {
        path: 'infer_cfg.prompt_template',
        problem: `the prompt ends with ${quote(text.slice(-20))}, in ${new Set(ends.map(({ number }) => number)).size} of ${all.length} rows`,
        shown: { of: `row ${first.number}, ${first.model}`, text, mark: [text.trimEnd().length, text.length] },
      },
    ]
  },
}

/** Whether dataset text, not the format, ends the prompt with a space. */
function endsOpen({ prompt, mode }: LintedPrompt): boolean {
  if (prompt.kind !== 'completion' || mode !== 'gen') return false
  const last = prompt.pieces.findLast((piece) => 'text' in piece && piece.text !== '')
  return last !== undefined && 'text' in last && last.source.by !== 'format' && / $/.test(last.text)
}

/** A label that is a prefix of another. */
export const labelPrefix: DatasetRule = {
  id: 'label-prefix',
  severity: 'warning',
  finds: 'One of the labels compared by likelihood is a prefix of another.',
  why: 'The longer label contains the shorter one, so its total likelihood can never be higher; with averaged likelihoods, the shared words dilute the difference.',
  fix: 'use labels that differ from the first word',
  example: {
    bad: {
      rows,
      reader_cfg: reader,
      infer_cfg: {
        prompt_template: { template: { A: turns('{question}', 'yes'), B: turns('{question}', 'yes, but') } },
        inferencer: { type: 'PPLInferencer' },
      },
    },
    good: {
      rows,
      reader_cfg: reader,
      infer_cfg: {
        prompt_template: { template: { A: turns('{question}', 'yes'), B: turns('{question}', 'no') } },
        inferencer: { type: 'PPLInferencer' },
      },
    },
  },
  check({ rows: all }) {
    for (const { number, prompts } of all) {
      const models = new Set(prompts.map(({ model }) => model))
      for (const name of models) {
        const labels = prompts.flatMap((one) => (one.model === name && one.label !== undefined ? [{ ...one, text: answerOf(one) }] : []))
        const pair = labels.flatMap((one) => labels.flatMap((other) => (isPrefix(one.text, other.text) ? [[one, other] as const] : [])))[0]
        if (!pair) continue
        const [short, long] = pair
        return [
          {
            path: 'infer_cfg.prompt_template',
            problem: `the label "${short.label}" (${quote(short.text)}) is a prefix of "${long.label}" (${quote(long.text)})`,
            shown: { of: `row ${number}, ${name}, ${long.label}`, text: promptText(long.prompt) },
          },
        ]
      }
    }
    return []
  },
}

/** The text a label adds to the prompt; empty if unknown. */
function answerOf({ prompt }: LintedPrompt): string {
  const { answer } = prompt
  if (answer === undefined || prompt.kind !== 'completion') return ''
  return textOf(prompt.pieces.slice(answer.start, answer.end))
}

function isPrefix(one: string, other: string): boolean {
  return one !== '' && one !== other && other.startsWith(one)
}

/** Prompts that exceed the context. */
export const tooLong: DatasetRule = {
  id: 'too-long',
  severity: 'warning',
  finds: 'Most rows exceed `max_seq_len`: examples are dropped, or the row does not fit at all.',
  why: 'A 5-shot score may really be a 2-shot score, or the server truncates the question.',
  fix: 'raise max_seq_len, or use fewer or shorter examples',
  example: {
    model: { type: 'embedded', format: 'plain', max_seq_len: 4 },
    bad: {
      rows: rows.map((row) => ({ ...row, question: `${row.question} ${'Think about it twice. '.repeat(10)}` })),
      reader_cfg: reader,
      infer_cfg: asked,
    },
    good: {
      rows: rows.map((row) => ({ ...row, question: '?' })),
      reader_cfg: reader,
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  },
  check({ rows: all }) {
    const models = new Set(all.flatMap(({ prompts }) => prompts.map(({ model }) => model)))
    return [...models].flatMap((model) => {
      const ofModel = all.map(({ prompts }) => prompts.filter((prompt) => prompt.model === model))
      const over = ofModel.filter((prompts) => prompts.some(({ length }) => length && length.tokens > length.limit)).length
      const shortened = ofModel.filter((prompts) => prompts.some(({ examplesDropped }) => examplesDropped > 0)).length
      const limit = ofModel.flat().find(({ length }) => length)?.length?.limit
      if (2 * Math.max(over, shortened) <= all.length || limit === undefined) return []
      const problem =
        2 * over > all.length
          ? `${over} of ${all.length} rows exceed the ${limit} tokens of ${model}`
          : `in ${shortened} of ${all.length} rows examples are dropped to stay within the ${limit} tokens of ${model}`
      return [{ path: 'infer_cfg', problem }]
    })
  },
}
