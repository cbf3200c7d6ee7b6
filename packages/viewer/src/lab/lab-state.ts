import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { ModelSettings, RowConversation, Want } from './engine/contract.ts'

/** Serving stacks whose rules for contents can be compared. */
export const engines = ['transformers', 'vllm', 'sglang', 'llama.cpp'] as const
export type Engine = (typeof engines)[number]

/** A column: a model of the catalog or one of the reader's own, and what is different about it. */
export type LabColumn = {
  model: string
  engine?: Engine
  /** Variables of this column only, over those of all. */
  variables?: Readonly<Record<string, unknown>>
  /** The template as the reader changed it. */
  template?: string
  /** Places what the template does not take. */
  roles?: 'auto'
}

/** A model that the reader brought: what is in its files, without the tokenizer, which is too large for a link. */
export type OwnModel = { id: string; name: string; settings: ModelSettings }

export const marks = ['differences', 'whitespace', 'ids', 'mask'] as const
export type Mark = (typeof marks)[number]

/** Everything that the lab shows, and that a link to it contains. */
export type LabState = {
  source: 'messages' | 'row'
  messages: readonly ChatMessage[]
  tools: readonly object[]
  want: Want
  variables: Readonly<Record<string, unknown>>
  date?: string
  row: RowConversation
  columns: readonly LabColumn[]
  own: readonly OwnModel[]
  reply: string
  marks: readonly Mark[]
}

export const mostColumns = 4

export const emptyRow: RowConversation = {
  dataset: `infer_cfg:
  prompt_template:
    template:
      round:
        - { role: HUMAN, prompt: "{question}" }
        - { role: BOT, prompt: "{answer}" }
`,
  row: 'question: 12+30=?\nanswer: "42"\n',
  mode: '',
}

export const firstState: LabState = {
  source: 'messages',
  messages: [{ role: 'user', content: 'Hello!' }],
  tools: [],
  want: 'generate',
  variables: {},
  row: emptyRow,
  columns: [{ model: 'qwen3' }],
  own: [],
  reply: '',
  marks: ['differences'],
}

/** A form is drawn for each message and tool. */
const mostListed = 500

/** The state of a link; undefined if it is none. A link is a stranger's: only what has the right shape is taken. */
export function readState(value: unknown): LabState | undefined {
  if (!isObject(value)) return undefined
  if (typeof value.dataset === 'string' && typeof value.model === 'string') return ofPlayground(value)
  const { source, messages, tools, want, variables, date, row, columns, own, reply, marks: shown } = value
  if (!Array.isArray(columns)) return undefined
  const kept = columns.flatMap(readColumn).slice(0, mostColumns)
  if (kept.length === 0) return undefined
  return {
    source: source === 'row' ? 'row' : 'messages',
    messages: listOf(messages, isMessage)?.slice(0, mostListed) ?? firstState.messages,
    tools: listOf(tools, isTool)?.slice(0, mostListed) ?? [],
    want: want === 'complete' || want === 'continue' ? want : 'generate',
    variables: isObject(variables) ? variables : {},
    ...(typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? { date } : {}),
    row: readRow(row),
    columns: kept,
    own: listOf(own, isOwn)?.slice(0, mostColumns) ?? [],
    reply: typeof reply === 'string' ? reply : '',
    marks: Array.isArray(shown) ? marks.filter((mark) => shown.includes(mark)) : firstState.marks,
  }
}

function readColumn(value: unknown): LabColumn[] {
  if (!isObject(value) || typeof value.model !== 'string') return []
  const { model, engine, variables, template, roles } = value
  const known = engines.find((name) => name === engine)
  return [
    {
      model,
      ...(known === undefined ? {} : { engine: known }),
      ...(isObject(variables) ? { variables } : {}),
      ...(typeof template === 'string' ? { template } : {}),
      ...(roles === 'auto' ? { roles } : {}),
    },
  ]
}

function readRow(value: unknown): RowConversation {
  if (!isObject(value) || typeof value.dataset !== 'string' || typeof value.row !== 'string') return emptyRow
  return { dataset: value.dataset, row: value.row, mode: value.mode === 'gen' || value.mode === 'ppl' ? value.mode : '' }
}

/** Links of the playground, which the lab replaces, keep working: their model is YAML. */
function ofPlayground({ dataset, model, row, mode }: Readonly<Record<string, unknown>>): LabState | undefined {
  if (typeof dataset !== 'string' || typeof model !== 'string' || typeof row !== 'string') return undefined
  const said = readRow({ dataset, row, mode })
  return {
    ...firstState,
    source: 'row',
    row: said,
    columns: [{ model: 'own' }],
    own: [{ id: 'own', name: 'own', settings: { config: model } }],
  }
}

function listOf<Item>(value: unknown, is: (item: unknown) => item is Item): readonly Item[] | undefined {
  return Array.isArray(value) && value.every(is) ? value : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isMessage(value: unknown): value is ChatMessage {
  return isObject(value) && typeof value.role === 'string'
}

/** A tool whose name, if it has one, is a text: forms show it. */
function isTool(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  const named = isObject(value.function) ? value.function : value
  return named.name === undefined || typeof named.name === 'string'
}

function isOwn(value: unknown): value is OwnModel {
  return isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && isObject(value.settings)
}
