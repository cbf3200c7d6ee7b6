import { basename, extname } from 'node:path'
import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { asChatMessage } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { parseMlcConfig, readTranscript } from '@rolecall/core/internal/format'
import { dictEntries, dictGet, dictHas, isDict, isList } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { refuseNewerTranscript } from '../../model/agent/transcript.ts'

/** A file that is not a config, recognised by its content, and the config made from it. */
export type Recognised = {
  kind: 'mlc-chat-config' | 'messages' | 'transcript' | 'format' | 'snippet'
  config: object
  /** Reports how the file was recognised. */
  note: Note
}

const mlcKeys = ['conv_template', 'conv_config', 'model_lib', 'local_id', 'tokenizer_files']

/**
 * Recognises files that are not configs: an mlc-chat-config.json, a list of messages or `{ messages, tools }`, a conversation in
 * InternLM2's format, also in the code block of a page.
 */
export function recognise(text: string, file: string): Recognised | undefined {
  const words = text.replace(/^\s*(`{3,})\w*\n([\s\S]*?)\n\1\s*$/, '$2')
  if (/^\s*(?:<s>)?\s*<\|im_start\|>/.test(words)) return transcript(words, nameOf(file))
  return /^\s*[[{]/.test(text) ? recogniseData(jsonOf(text), file) : undefined
}

function nameOf(file: string): string {
  return basename(file).slice(0, basename(file).length - extname(file).length)
}

/** The same for the content of a file in YAML or JSON. */
export function recogniseData(given: unknown, file: string): Recognised | undefined {
  const name = nameOf(file)
  if (isDict(given as never)) {
    const dict = given as Parameters<typeof dictHas>[0]
    if (dictHas(dict, 'models') || dictHas(dict, 'datasets')) return undefined
    const messages = dictGet(dict, 'messages')
    const isTemplate = /\.(?:json|ya?ml)$|^[^.]*$/.test(basename(file)) && mlcKeys.some((key) => dictHas(dict, key))
    // A template beside messages is the model that reads them.
    if (isTemplate) return isList(messages) ? undefined : mlcChatConfig(dict, file, name)
    const tools = dictGet(dict, 'tools')
    refuseNewerTranscript(Object.fromEntries(dictEntries(dict)), file)
    if (isList(messages)) return chat(messages, isList(tools) ? tools : [], name)
    return undefined
  }
  const isChat =
    isList(given as never) &&
    (given as unknown[]).length > 0 &&
    (given as unknown[]).every(isMessage) &&
    (given as unknown[]).some(hasContent)
  return isChat ? chat(given as unknown[], [], name) : undefined
}

/** Parses JSON, or MLC's variant with comments and `...`; undefined if it is neither. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    try {
      return parseMlcConfig(text)
    } catch {
      return undefined
    }
  }
}

function isMessage(given: unknown): boolean {
  return isDict(given as never) && dictHas(given as never, 'role') && ['content', 'prompt'].some((key) => dictHas(given as never, key))
}

/** Turns with prompts alone are a PromptList, which is no chat: it may say `fallback_role`. */
function hasContent(given: unknown): boolean {
  return dictHas(given as never, 'content')
}

function mlcChatConfig(config: Parameters<typeof dictHas>[0], file: string, name: string): Recognised {
  const id = dictGet(config, 'local_id')
  return {
    kind: 'mlc-chat-config',
    config: { models: [{ abbr: typeof id === 'string' ? id : name, mlc_config: basename(file) }], datasets: [] },
    note: { code: 'recognised', where: file, text: 'this is an mlc-chat-config.json: its template and settings define a model' },
  }
}

/** The embedded model's format supports tools and code, and the model runs everywhere. */
const model = { abbr: 'tiny', type: 'embedded', format: 'internlm2' }

function chat(messages: readonly unknown[], tools: readonly unknown[], name: string): Recognised {
  const row = { messages: messages.map(asChatMessage), ...(tools.length === 0 ? {} : { tools }) }
  return {
    kind: 'messages',
    config: { models: [model], datasets: [chatDataset(row, name)] },
    note: {
      code: 'recognised',
      where: name,
      text: `these are chat messages${tools.length > 0 ? ' and tools' : ''}: they become a dataset of one row for the embedded model`,
    },
  }
}

function transcript(text: string, name: string): Recognised {
  const { messages, notes } = readTranscript(text)
  return {
    kind: 'transcript',
    config: { models: [model], datasets: [chatDataset({ messages }, name)] },
    note: {
      code: 'recognised',
      where: name,
      text: `this is a conversation in InternLM2's format: its messages become a dataset of one row${notes.length === 0 ? '' : ` (${notes.map((note) => note.text).join('; ')})`}`,
    },
  }
}

/** A conversation that ends with the model's reply leaves nothing to generate. */
function endsWithReply(messages: readonly unknown[]): boolean {
  const last = messages.at(-1)
  return isDict(last as never) && dictGet(last as never, 'role') === 'assistant'
}

/** The messages of a recognised conversation, and whether it has tools. */
export function messagesIn({ config }: Recognised): { messages: ChatMessage[]; hasTools: boolean } | undefined {
  const [dataset] = (config as { datasets: { rows: { messages: ChatMessage[]; tools?: unknown }[] }[] }).datasets
  const row = dataset?.rows[0]
  return row && { messages: row.messages, hasTools: row.tools !== undefined }
}

/** A conversation as a dataset of one row. */
export function chatDataset(row: { messages: readonly unknown[]; tools?: readonly unknown[] }, abbr: string): DatasetConfig {
  return {
    abbr,
    rows: [row],
    ...(row.tools ? { reader_cfg: { tools_column: 'tools' } } : {}),
    infer_cfg: {
      prompt_template: { messages: [{ expand_column: 'messages' }], format_variables: false },
      inferencer: { type: endsWithReply(row.messages) ? 'PPLOnlyInferencer' : 'GenInferencer' },
    },
  }
}
