import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { compileTemplate, type JinjaTemplate, TemplateError } from '../../src/base/jinja/index.ts'
import { type ChatInput, type RenderedChat, renderChat, renderChatPieces } from '../../src/base/jinja/render-chat.ts'
import { dictEntries, dictGet, dictHas, isDict, type PyDict, type PyValue, parseJson } from '../../src/base/python/index.ts'
import { textOf } from '../../src/base/text/index.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'

/** Hugging Face chat templates, compared with Jinja2 as configured by transformers. */
export const jinjaRender: Suite = {
  name: 'chat',
  recognises: (vector) => dictGet(vector, 'group') === 'jinja-render',
  judge(vector, folder) {
    const { templates, cases } = referencesIn(folder)
    const given = vector as PyDict
    const template = templates.get(String(dictGet(given, 'template')))
    const input = cases.get(String(dictGet(given, 'case')))
    if (template === undefined || input === undefined)
      return { kind: 'failed', why: 'it refers to a template or case that is not in its folder' }
    return judgeRender(given, template, input)
  },
}

/** The templates; each must compile. */
export const jinjaTemplates: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'template') && dictHas(vector, 'tokens'),
  judge(vector) {
    compileTemplate(String(dictGet(vector as PyDict, 'template')))
    return { kind: 'passed' }
  },
}

/** The inputs that vectors reference; each must be a list of messages. */
export const jinjaCases: Suite = {
  name: 'chat',
  recognises: (vector) => dictHas(vector, 'messages') && dictHas(vector, 'now') && dictHas(vector, 'add_generation_prompt'),
  judge(vector) {
    chatInput(vector as PyDict, {})
    return { kind: 'passed' }
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

function judgeRender(vector: PyDict, { template, tokens }: Reference, entry: PyDict): Verdict {
  const clock = new Date(String(dictGet(entry, 'now')))
  const input = chatInput(entry, tokens)
  const run = (render: () => RenderedChat): RenderedChat | PromptError => {
    if (template instanceof TemplateError) return template
    try {
      return render()
    } catch (error) {
      if (error instanceof PromptError) return error
      throw error
    }
  }
  const rendered = run(() => renderChat(template as JinjaTemplate, input, { clock }))
  const pieces = run(() => {
    const withOrigins = renderChatPieces(template as JinjaTemplate, input, { clock })
    return { ...withOrigins, text: textOf(withOrigins.pieces) }
  })
  const error = dictGet(vector, 'error')
  if (isDict(error)) return judgeError(error, rendered, pieces)
  const expected = dictGet(vector, 'expected')
  for (const [way, result] of [
    ['text', rendered],
    ['pieces', pieces],
  ] as const) {
    if (result instanceof PromptError) return { kind: 'failed', why: `${way}: ${result.message}, expected ${JSON.stringify(expected)}` }
    if (result.text !== expected) return { kind: 'failed', why: `${way}: ${difference(result.text, String(expected))}` }
    const indices = dictGet(vector, 'generation_indices')
    if (indices !== undefined) {
      const ours = JSON.stringify(result.generation.map(({ start, end }) => [start, end].map((at) => [...result.text.slice(0, at)].length)))
      if (ours !== JSON.stringify(indices))
        return { kind: 'failed', why: `${way}: generation ${ours}, expected ${JSON.stringify(indices)}` }
    }
  }
  return { kind: 'passed' }
}

function judgeError(error: PyDict, ...results: (RenderedChat | PromptError)[]): Verdict {
  const type = String(dictGet(error, 'type'))
  const message = String(dictGet(error, 'message'))
  for (const result of results) {
    if (!(result instanceof PromptError))
      return { kind: 'failed', why: `renders ${JSON.stringify(result.text)}, Python raises ${type}: ${message}` }
    if (type === 'TemplateError' && !(result instanceof TemplateError && result.type === type && result.reason === message))
      return { kind: 'failed', why: `raises ${result.message}, Python ${type}: ${message}` }
  }
  return { kind: 'passed' }
}

function difference(ours: string, expected: string): string {
  let at = 0
  while (at < ours.length && ours[at] === expected[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `at ${at} ${around(ours)}, expected ${around(expected)}`
}
