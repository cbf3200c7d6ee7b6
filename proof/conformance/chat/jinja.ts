import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, type JinjaTemplate, TemplateError } from '../../../packages/core/src/base/jinja/index.ts'
import { type ChatInput, type RenderedChat, renderChat, renderChatPieces } from '../../../packages/core/src/base/jinja/render-chat.ts'
import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  type PyDict,
  type PyValue,
  parseJson,
} from '../../../packages/core/src/base/python/index.ts'
import { textOf } from '../../../packages/core/src/base/text/index.ts'
import { type Outcome, outcomeOf } from '../outcome.ts'
import type { Suite, Trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'

/** Hugging Face chat templates, compared with Jinja2 as configured by transformers. */
export const jinjaRender: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'jinja-render',
  examine(vector, folder) {
    const { templates, cases } = referencesIn(folder)
    const given = vector as PyDict
    const template = templates.get(String(dictGet(given, 'template')))
    const input = cases.get(String(dictGet(given, 'case')))
    if (template === undefined || input === undefined) return failed('it refers to a template or case that is not in its folder')
    return examineRender(given, template, input)
  },
}

/** The templates; each must compile. */
export const jinjaTemplates: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'template') && dictHas(vector, 'tokens'),
  examine(vector) {
    compileTemplate(String(dictGet(vector as PyDict, 'template')))
    return { kind: 'consistent', why: 'templates of other vectors: compiled' }
  },
}

/** The inputs that vectors reference; each must be a list of messages. */
export const jinjaCases: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'messages') && dictHas(vector, 'now') && dictHas(vector, 'add_generation_prompt'),
  examine(vector) {
    chatInput(vector as PyDict, {})
    return { kind: 'consistent', why: 'conversations of other vectors' }
  },
}

type Reference = { template: JinjaTemplate | TemplateError; tokens: Record<string, string> }
type References = { templates: Map<string, Reference>; cases: Map<string, PyDict> }

const known = new Map<string, References>()

/** Files that a folder's vectors reference, read once. */
function referencesIn(folder: string): References {
  const found = known.get(folder)
  if (found !== undefined) return found
  const references: References = { templates: new Map(), cases: new Map() }
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    const first = parseJson(lines[0] || 'null')
    if (!isDict(first) || !(jinjaTemplates.recognises(first) || jinjaCases.recognises(first))) continue
    for (const line of lines) {
      const entry = line.trim() === '' ? null : parseJson(line)
      if (!isDict(entry)) continue
      const id = String(dictGet(entry, 'id'))
      if (dictHas(entry, 'tokens')) references.templates.set(id, readTemplate(entry))
      else references.cases.set(id, entry)
    }
  }
  known.set(folder, references)
  return references
}

function readTemplate(entry: PyDict): Reference {
  const tokens = dictGet(entry, 'tokens')
  return {
    template: attempt(() => compileTemplate(String(dictGet(entry, 'template')))),
    tokens: isDict(tokens) ? Object.fromEntries(dictEntries(tokens).map(([name, token]) => [name, String(token)])) : {},
  }
}

function attempt<Result>(produce: () => Result): Result | TemplateError {
  try {
    return produce()
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
}

function chatInput(entry: PyDict, tokens: Record<string, string>): ChatInput {
  const kwargs = dictGet(entry, 'kwargs')
  return {
    messages: dictGet(entry, 'messages') as readonly PyValue[],
    tools: (dictGet(entry, 'tools') ?? null) as readonly PyValue[] | null,
    documents: (dictGet(entry, 'documents') ?? null) as readonly PyValue[] | null,
    addGenerationPrompt: dictGet(entry, 'add_generation_prompt') === true,
    continueFinalMessage: dictGet(entry, 'continue_final_message') === true,
    tokens,
    ...(isDict(kwargs) ? { kwargs: Object.fromEntries(dictEntries(kwargs)) } : {}),
  }
}

/** The text, and the same from pieces with origins. */
function examineRender(vector: PyDict, { template, tokens }: Reference, entry: PyDict): Trial {
  const clock = new Date(String(dictGet(entry, 'now')))
  const input = chatInput(entry, tokens)
  const run = (render: () => RenderedChat): Outcome => {
    if (template instanceof TemplateError) return { error: template }
    return outcomeOf(() => {
      const { text, generation } = render()
      return {
        text,
        ...(dictHas(vector, 'generation_indices')
          ? { generation: generation.map(({ start, end }) => [start, end].map((at) => [...text.slice(0, at)].length)) }
          : {}),
      }
    })
  }
  return {
    ours: [
      run(() => renderChat(template as JinjaTemplate, input, { clock })),
      run(() => {
        const withOrigins = renderChatPieces(template as JinjaTemplate, input, { clock })
        return { ...withOrigins, text: textOf(withOrigins.pieces) }
      }),
    ],
    judge: (ours) => ours.map((result) => judgeRender(vector, result)).find(({ kind }) => kind === 'failed') ?? identical,
  }
}

function judgeRender(vector: PyDict, ours: Outcome): Verdict {
  const error = dictGet(vector, 'error')
  if (isDict(error)) return judgeError(error, ours)
  const expected = String(dictGet(vector, 'expected'))
  if ('error' in ours) return failed(`${ours.error.message}, expected ${JSON.stringify(expected)}`)
  const { text, generation } = ours.value as { text: string; generation?: number[][] }
  if (text !== expected) return failed(difference(text, expected))
  const indices = dictGet(vector, 'generation_indices')
  if (indices === undefined || JSON.stringify(generation) === JSON.stringify(indices)) return identical
  return failed(`generation ${JSON.stringify(generation)}, expected ${JSON.stringify(indices)}`)
}

function judgeError(error: PyDict, ours: Outcome): Verdict {
  const type = String(dictGet(error, 'type'))
  const message = String(dictGet(error, 'message'))
  if ('value' in ours) return failed(`renders ${JSON.stringify(ours.value)}, Python raises ${type}: ${message}`)
  const own = ours.error
  if (type === 'TemplateError' && !(own instanceof TemplateError && own.type === type && own.reason === message))
    return failed(`raises ${own.message}, Python ${type}: ${message}`)
  return identical
}

function difference(ours: string, expected: string): string {
  let at = 0
  while (at < ours.length && ours[at] === expected[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `at ${at} ${around(ours)}, expected ${around(expected)}`
}
