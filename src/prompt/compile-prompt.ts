import { chatOfRow, chatShowsExamples } from '../adapt/chat-of-row.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { type Quirks, quirksOf } from '../config/fidelity.ts'
import { buildConversation } from '../conversation/build-conversation.ts'
import { compileDataset } from '../conversation/compile-dataset.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { Question } from '../conversation/question.ts'
import type { Row } from '../dataset/row.ts'
import { compileFormat } from '../format/compile-format.ts'
import type { Format, Prompt } from '../format/format.ts'
import { type PreparedPrompt, preparePrompt } from './prepare-prompt.ts'

/** A prompt, and what was said before the model's format wrote it. */
export type RenderedPrompt = { conversation: Conversation; prompt: Prompt }

/** A dataset's templates and a model's format, read once. */
export type PromptMaker = {
  format: Format
  /** The labels that perplexity compares; undefined when the template has none. */
  labels?: readonly string[]
  /** Whether the prompt of a row has a place for examples; absent where all have. */
  showsExamples?(row: Row): boolean
  /** The exact prompt this model is sent for a row. */
  render(question: Question): RenderedPrompt
  /** The same for many rows, as fast as they can be written; made once for each mode and label. */
  prepare(ask: Pick<Question, 'mode' | 'label'>): PreparedPrompt
}

/**
 * Joins a dataset and a model: a function from a row to the exact prompt this model is sent.
 *
 * @example
 * const maker = compilePrompt(
 *   { meta_template: { round: [{ role: 'HUMAN', begin: 'USER: ', end: '\n' }, { role: 'BOT', begin: 'BOT: ', generate: true }] } },
 *   { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } } },
 * )
 * const { prompt } = maker.render({ row: { question: '1+1=?' }, mode: 'gen' })
 * promptText(prompt) // => 'USER: 1+1=?\nBOT: '
 */
export function compilePrompt(model: ModelConfig, dataset: DatasetConfig): PromptMaker {
  return compilePromptWith(model, dataset, quirksOf(dataset.compat))
}

/** As `compilePrompt`, with chosen quirks of the reference; for the conformance runner. */
export function compilePromptWith(model: ModelConfig, dataset: DatasetConfig, quirks: Quirks): PromptMaker {
  const templates = compileDataset(dataset, quirks)
  const isChat = asksInChats(dataset)
  const columns = [dataset.reader_cfg?.input_columns ?? []].flat()
  const format = compileFormat(model, isChat ? quirks : withoutQuirksOfChats(quirks))
  const render = (question: Question): RenderedPrompt => {
    const conversation = isChat ? chatOfRow(templates, question, columns) : buildConversation(templates, question)
    return { conversation, prompt: format.render(conversation, { want: question.mode === 'gen' ? 'generate' : 'complete' }) }
  }
  const prepared = new Map<string, PreparedPrompt>()
  return {
    format,
    ...(templates.labels ? { labels: templates.labels } : {}),
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

/** ChatInferencer reads templates as chats: message by message, without rounds. */
function asksInChats({ infer_cfg: { inferencer } }: DatasetConfig): boolean {
  return inferencer?.type?.split('.').at(-1) === 'ChatInferencer'
}

const ofChats: Quirks = new Set(['chat-begin-dropped', 'chat-role-bare', 'chat-generating-role', 'chat-empty-line'])

/** Other inferencers of the reference never write chats for language models: they fail, and what is promised stands. */
function withoutQuirksOfChats(quirks: Quirks): Quirks {
  return new Set([...quirks].filter((name) => !ofChats.has(name)))
}
