import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { buildConversation } from '../conversation/build-conversation.ts'
import { saysData } from '../conversation/carried.ts'
import { compileDataset } from '../conversation/compile-dataset.ts'
import type { CompiledPromptTemplate } from '../conversation/compile-template.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { PromptSettings } from '../conversation/prompt-settings.ts'
import type { DatasetTemplates, Question } from '../conversation/question.ts'
import type { Row } from '../conversation/row.ts'
import { type RowTools, toolsOfRows } from '../conversation/tools-of-row.ts'
import type { Format, Prompt } from '../format/format.ts'
import { chatOfRow, chatShowsExamples } from './chat-of-row.ts'
import { type PreparedPrompt, preparePrompt } from './prepare-prompt.ts'

/** A prompt and its conversation. */
export type RenderedPrompt = { conversation: Conversation; prompt: Prompt }

/** A dataset's templates and a model's format, compiled. */
export type PromptMaker = {
  format: Format
  /** The tools that are described to the model; absent if the dataset has none. */
  tools?: RowTools
  /** The labels that perplexity compares; undefined when the template has none. */
  labels?: readonly string[] | undefined
  /** The labels that have separate templates; undefined if one template serves all. */
  mapsLabels?: readonly string[] | undefined
  /** Whether the prompt of a row has a place for examples; absent if all have. */
  showsExamples?(row: Row): boolean
  /** The conversation before formatting. */
  conversation(question: Question): Conversation
  /** The exact prompt for a row. */
  render(question: Question): RenderedPrompt
  /** The same, optimized for many rows; created once per mode and label. */
  prepare(ask: Pick<Question, 'mode' | 'label'>): PreparedPrompt
}

export type PromptMakerOptions = {
  /** Which quirks of the reference are reproduced. */
  quirks: Quirks
  /** Reads templates and rows as chats: message by message, without rounds. */
  readsChats: boolean
}

/** Combines a dataset and a format, which is compiled with the dataset's quirks. */
export function promptMaker(
  formatWith: (quirks: Quirks) => Format,
  dataset: PromptSettings,
  { quirks, readsChats: isChat }: PromptMakerOptions,
): PromptMaker {
  const templates = compileDataset(dataset, quirks)
  const { body } = templates.prompt
  const columns = [dataset.reader_cfg?.input_columns ?? []].flat()
  // A string is the whole prompt, so a mistake in a meta template matters only where a dialogue is rendered with it.
  const readsLater: Quirks = body.kind === 'text' || body.kind === 'labels' ? new Set([...quirks, 'unread-mistake']) : quirks
  const format = formatWith(isChat ? readsLater : withoutQuirksOfChats(readsLater))
  const tools = toolsOfRows(dataset)
  if (tools) checkPlaceOfTools(tools, templates, format)
  const conversationOf = (question: Question): Conversation => {
    const conversation = isChat ? chatOfRow(templates, question, columns) : buildConversation(templates, question)
    return tools ? tools.addTo(conversation, question.row) : conversation
  }
  const rendersEach = isChat || tools?.isByRow === true || carriesMore(templates)
  const render = (question: Question): RenderedPrompt => {
    const conversation = conversationOf(question)
    return { conversation, prompt: format.render(conversation, { want: question.mode === 'gen' ? 'generate' : 'complete' }) }
  }
  const prepared = new Map<string, PreparedPrompt>()
  return {
    format,
    ...(tools ? { tools } : {}),
    labels: templates.labels,
    mapsLabels: body.kind === 'labels' ? body.labels : undefined,
    ...(isChat ? { showsExamples: (row: Row) => chatShowsExamples(row, columns, quirks) } : {}),
    conversation: conversationOf,
    render,
    prepare(ask) {
      const key = ask.label === undefined ? ask.mode : `${ask.mode}:${ask.label}`
      const known = prepared.get(key)
      if (known) return known
      const made = preparePrompt({ templates, format, ask, rendersEach, render: (question) => render(question).prompt })
      prepared.set(key, made)
      return made
    },
  }
}

const ofChats: Quirks = new Set(['chat-begin-dropped', 'chat-role-bare', 'chat-generating-role', 'chat-empty-line'])

/** Other inferencers of the reference never write chats for language models: they fail, so the documented behaviour applies. */
function withoutQuirksOfChats(quirks: Quirks): Quirks {
  return new Set([...quirks].filter((name) => !ofChats.has(name)))
}

/** Whether turns carry calls, names or data, whose text depends on more than the row's fields. */
function carriesMore({ prompt, ice }: DatasetTemplates): boolean {
  return [prompt, ...(ice ? [ice] : [])].some(carriesCalls)
}

function carriesCalls({ body }: Pick<CompiledPromptTemplate, 'body'>): boolean {
  if (body.kind === 'text') return false
  if (body.kind === 'labels') return body.labels.some((label) => labelCarries(body, label))
  const items = body.kind === 'messages' ? body.messages : [...body.begin, ...body.round, ...body.end]
  return items.some(
    (item) => 'role' in item && (item.carried?.calls !== undefined || saysData({ role: item.role, name: item.carried?.name })),
  )
}

/** An invalid label fails only when it is used. */
function labelCarries(body: CompiledPromptTemplate['body'] & { kind: 'labels' }, label: string): boolean {
  try {
    return carriesCalls({ body: body.bodyOf(label) })
  } catch (error) {
    if (error instanceof PromptError) return false
    throw error
  }
}

/** Finds errors that every row would have before the first row. */
function checkPlaceOfTools({ where, fixed }: RowTools, { prompt }: DatasetTemplates, { traits }: Format): void {
  const { body } = prompt
  const isText = body.kind === 'text' || (body.kind === 'labels' && body.labels.some((label) => body.bodyOf(label).kind === 'text'))
  if (isText) {
    throw new PromptError('no-tools', {
      where,
      problem: 'the template is a string, in which tools have no place',
      fix: 'write it as messages or as a dialogue with `round`; or write the tools into the text, and leave `tools` and tools_column out',
    })
  }
  if (traits.tools && (!fixed.interpreter || traits.interpreter)) return
  throw new PromptError('no-tools', {
    where,
    problem: `${traits.formatName} has no way to describe ${traits.tools ? 'an interpreter' : 'tools'} to a model`,
    fix: 'use a format that does, e.g. internlm2, a chat template with tools, or a chat server; or write the tools into the template, and leave `tools` and tools_column out',
  })
}
