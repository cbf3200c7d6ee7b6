import { textOf } from '../../../base/text/index.ts'
import { ownExample } from '../../../evaluation/dataset/same-question.ts'
import { promptText } from '../../../prompt/format/prompt-text.ts'
import type { AskedPrompt, DatasetRule } from '../dataset-rule.ts'
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

/** An example that is the question itself. */
export const exampleIsRow: DatasetRule = {
  id: 'example-is-row',
  severity: 'error',
  finds: 'An example in a prompt is the row that is asked.',
  why: 'The prompt shows the answer to its own question.',
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
        problem: `in ${own.length} of ${all.length} rows an example is the row that is asked, first in row ${first.number}`,
        ...(prompt ? { shown: { of: `row ${first.number}, ${prompt.model}`, text: promptText(prompt.prompt) } } : {}),
      },
    ]
  },
}

/** A prompt that ends in a space. */
export const endsInSpace: DatasetRule = {
  id: 'ends-in-space',
  severity: 'warning',
  finds: "A dataset's template ends a prompt with a space, where the model goes on.",
  why: 'Most vocabularies have words with the space before them. After a space the model must begin with a token that it rarely saw there, and answers get worse.',
  fix: 'end the template without the space',
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

/** Whether the dataset's own text ends the prompt with a space; what a format writes is the format's. */
function endsOpen({ prompt, mode }: AskedPrompt): boolean {
  if (prompt.kind !== 'completion' || mode !== 'gen') return false
  const last = prompt.pieces.findLast((piece) => 'text' in piece && piece.text !== '')
  return last !== undefined && 'text' in last && last.source.by !== 'format' && / $/.test(last.text)
}

/** Labels of which one begins another. */
export const labelPrefix: DatasetRule = {
  id: 'label-prefix',
  severity: 'warning',
  finds: 'Of the labels whose likelihoods are compared, one is the beginning of another.',
  why: 'The longer text contains the shorter one: its whole likelihood can never be greater, and where averages are compared its common words weigh in.',
  fix: 'write labels that differ from their first word on',
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
        const labels = prompts.flatMap((one) => (one.model === name && one.label !== undefined ? [{ ...one, said: answerOf(one) }] : []))
        const pair = labels.flatMap((one) =>
          labels.flatMap((other) => (isBeginning(one.said, other.said) ? [[one, other] as const] : [])),
        )[0]
        if (!pair) continue
        const [short, long] = pair
        return [
          {
            path: 'infer_cfg.prompt_template',
            problem: `the label "${short.label}" says ${quote(short.said)}, which begins what "${long.label}" says: ${quote(long.said)}`,
            shown: { of: `row ${number}, ${name}, ${long.label}`, text: promptText(long.prompt) },
          },
        ]
      }
    }
    return []
  },
}

/** What a label adds to the prompt; where that is not marked, nothing is known. */
function answerOf({ prompt }: AskedPrompt): string {
  const { answer } = prompt
  if (answer === undefined || prompt.kind !== 'completion') return ''
  return textOf(prompt.pieces.slice(answer.start, answer.end))
}

function isBeginning(one: string, other: string): boolean {
  return one !== '' && one !== other && other.startsWith(one)
}

/** Prompts that do not fit. */
export const tooLong: DatasetRule = {
  id: 'too-long',
  severity: 'warning',
  finds: 'Most rows exceed `max_seq_len`: their examples are left out, or they do not fit at all.',
  why: 'A score for five examples is one for two of them, or the end of the question is cut off by the server.',
  fix: 'raise max_seq_len, or show fewer or shorter examples',
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
          ? `${over} of ${all.length} rows have more than the ${limit} tokens of ${model}`
          : `in ${shortened} of ${all.length} rows examples are dropped to stay within the ${limit} tokens of ${model}`
      return [{ path: 'infer_cfg', problem }]
    })
  },
}
