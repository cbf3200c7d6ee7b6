import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Quirks } from '../config/fidelity.ts'
import { buildConversation } from '../conversation/build-conversation.ts'
import { compileDataset } from '../conversation/compile-dataset.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Question } from '../conversation/question.ts'
import type { Row } from '../dataset/row.ts'
import { compileFormat } from '../format/compile-format.ts'
import type { Format, Prompt } from '../format/format.ts'
import { chatOfRow, chatShowsExamples } from './chat-of-row.ts'
import { type PreparedPrompt, preparePrompt } from './prepare-prompt.ts'

/** A prompt, and what was said before the model's format wrote it. */
export type RenderedPrompt = { conversation: Conversation; prompt: Prompt }

/** A dataset's templates and a model's format, read once. */
export type PromptMaker = {
  format: Format
  /** The labels that perplexity compares; undefined when the template has none. */
  labels?: readonly string[] | undefined
  /** The labels that have a template of their own; undefined where the template is one for all. */
  mapsLabels?: readonly string[] | undefined
  /** Whether the prompt of a row has a place for examples; absent where all have. */
  showsExamples?(row: Row): boolean
  /** The exact prompt this model is sent for a row. */
  render(question: Question): RenderedPrompt
  /** The same for many rows, as fast as they can be written; made once for each mode and label. */
  prepare(ask: Pick<Question, 'mode' | 'label'>): PreparedPrompt
}

export type PromptMakerOptions = {
  /** Which quirks of the reference are reproduced. */
  quirks: Quirks
  /** Templates and rows are read as chats: message by message, without rounds. */
  readsChats: boolean
}

/** Joins a dataset and a model; `compilePrompt` in `ask/` knows how the dataset's inferencer reads it. */
export function promptMaker(model: ModelConfig, dataset: DatasetConfig, { quirks, readsChats: isChat }: PromptMakerOptions): PromptMaker {
  const templates = compileDataset(dataset, quirks)
  const { body } = templates.prompt
  const columns = [dataset.reader_cfg?.input_columns ?? []].flat()
  const format = compileFormat(model, isChat ? quirks : withoutQuirksOfChats(quirks))
  const render = (question: Question): RenderedPrompt => {
    const conversation = isChat ? chatOfRow(templates, question, columns) : buildConversation(templates, question)
    return { conversation, prompt: format.render(conversation, { want: question.mode === 'gen' ? 'generate' : 'complete' }) }
  }
  const prepared = new Map<string, PreparedPrompt>()
  return {
    format,
    labels: templates.labels,
    mapsLabels: body.kind === 'labels' ? body.labels : undefined,
    ...(isChat ? { showsExamples: (row: Row) => chatShowsExamples(row, columns, quirks) } : {}),
    render,
    prepare(ask) {
      const key = ask.label === undefined ? ask.mode : `${ask.mode}:${ask.label}`
      const known = prepared.get(key)
      if (known) return known
      const made = preparePrompt({ templates, format, ask, rendersEach: isChat, render: (question) => render(question).prompt })
      prepared.set(key, made)
      return made
    },
  }
}

const ofChats: Quirks = new Set(['chat-begin-dropped', 'chat-role-bare', 'chat-generating-role', 'chat-empty-line'])

/** Other inferencers of the reference never write chats for language models: they fail, and what is promised stands. */
function withoutQuirksOfChats(quirks: Quirks): Quirks {
  return new Set([...quirks].filter((name) => !ofChats.has(name)))
}
