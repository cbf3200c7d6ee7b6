import type { Row } from '@rolecall/core/internal/conversation'
import { type ExampleSettings, examplesOf } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import type { TrainingRow } from '@rolecall/core/internal/masks'
import { maskOf } from '@rolecall/core/internal/masks'
import { dictGet, pyStr } from '@rolecall/core/internal/python'
import type { RunMemo, Tokenizer } from '@rolecall/core/internal/tokenizer'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { chooseExamples, choosesByRow } from '../../evaluation/dataset/retrieve/choose-examples.ts'
import { compilePair } from '../../evaluation/run/ask/plan-requests.ts'
import { planPreview, rowPrompts } from '../../evaluation/run/ask/row-prompts.ts'
import { trainedAnswer, trainedLabel } from '../../workbench/training/trained-answer.ts'
import { jiebaWords } from '../jieba-words.ts'
import { embedderOf } from '../models/embedder-of.ts'
import { registerPlugIns } from '../plug-ins.ts'
import { allRows, openRows, type RowSource, type RowsConfig, takeRows } from '../rows/open-rows.ts'

registerPlugIns()

type Dataset = DatasetConfig & ExampleSettings & RowsConfig

/** A dataset's rows as training rows: the prompt a model would be sent, followed by the row's own answer. */
export type AnsweredRows = {
  format: Format
  rows: RowSource
  trainingRow: (row: Row, number: number) => Promise<TrainingRow>
}

/** Prepares the rows of a dataset as training rows for a model. */
export async function answeredRows(
  model: ModelConfig,
  dataset: Dataset,
  { folder, tokenizer, memo }: { folder: string; tokenizer: Tokenizer; memo: RunMemo },
): Promise<AnsweredRows> {
  const name = { model: model.abbr ?? 'model', dataset: dataset.abbr ?? 'dataset' }
  const planned = compilePair(model, dataset, name)
  const promptPlan = planPreview(planned, { tokenizer }, 'gen')
  const answeredPlan = planPreview(planned, { tokenizer }, 'ppl')
  const { test, train } = openRows(dataset, folder)
  const examplesFor = await examplesOfRows(dataset, train)
  const { format } = promptPlan.maker
  return {
    format,
    rows: test,
    async trainingRow(row, number) {
      const question = { row, examples: await examplesFor(row, number) }
      const label = planned.maker.mapsLabels ? goldOf(dataset, row) : undefined
      const [answered] = rowPrompts(answeredPlan, question, label)
      const complete = completion(answered!.rendered.prompt, format)
      const trained =
        label === undefined
          ? trainedAnswer(rowPrompts(promptPlan, question)[0]!.rendered.prompt, complete, format)
          : trainedLabel(complete, format)
      const spans = 'span' in trained ? [{ start: trained.span[0], end: trained.span[1], message: 0 }] : []
      const { ids, tokens } = tokenize(complete, tokenizer, { markers: format.markers, tokens: format.tokens, memo })
      return {
        text: complete.pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''),
        prompt: complete,
        turns: [],
        spans,
        undecided: 'why' in trained ? [{ message: 0, why: trained.why }] : [],
        ids,
        mask: maskOf(
          tokens,
          spans.map(({ start, end }) => [start, end] as const),
        ),
      }
    },
  }
}

async function examplesOfRows(
  dataset: Dataset,
  train: RowSource,
): Promise<(row: Row, number: number) => readonly Row[] | Promise<readonly Row[]>> {
  if (choosesByRow(dataset)) {
    const chosen = await chooseExamples(dataset, await allRows(train), embedderOf(dataset), undefined, jiebaWords())
    return chosen.examplesFor
  }
  const taken = await takeRows(train, dataset.infer_cfg.retriever?.fix_id_list ?? [])
  const examples = examplesOf(dataset, (id) => taken.rows.get(id)?.row)
  return () => examples
}

function goldOf({ reader_cfg: reader }: DatasetConfig, row: Row): string {
  const column = reader?.output_column
  const gold = column ? dictGet(row, column) : undefined
  if (gold !== undefined && gold !== null) return pyStr(gold)
  throw new PromptError('no-gold', {
    where: 'reader_cfg.output_column',
    problem: 'the row has no answer to train on',
    fix: 'set it to the column with the answer',
  })
}

function completion(prompt: Prompt, format: Format): Prompt & { kind: 'completion' } {
  if (prompt.kind === 'completion') return prompt
  throw new PromptError('no-text', {
    where: format.name,
    problem: 'this format produces messages for a server, not text to train on',
    fix: 'choose a format that produces text: --chat-template, --format or --conv-template',
  })
}
