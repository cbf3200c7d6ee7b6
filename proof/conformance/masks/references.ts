import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, type JinjaTemplate } from '../../../packages/core/src/base/jinja/index.ts'
import { renderChatPieces } from '../../../packages/core/src/base/jinja/render-chat.ts'
import {
  dictEntries,
  dictGet,
  dictHas,
  isDict,
  type PyDict,
  type PyValue,
  parseJson,
} from '../../../packages/core/src/base/python/index.ts'
import type { WriteChat } from '../../../packages/core/src/masks/chat-text.ts'
import { type EndOfTurn, endOfTurnOf } from '../../../packages/core/src/masks/end-of-turn.ts'
import type { MessageTraits } from '../../../packages/core/src/masks/model-turns.ts'

/** The clock that the reference's templates saw. */
const clock = new Date('2025-03-14T15:09:26')

/** A template that vectors reference, compiled once, and its end-of-turn token. */
export class KnownTemplate {
  readonly #template: JinjaTemplate
  readonly #tokens: Readonly<Record<string, string>>
  readonly #ends = new Map<string, EndOfTurn>()

  constructor(entry: PyDict) {
    const tokens = dictGet(entry, 'tokens')
    this.#template = compileTemplate(String(dictGet(entry, 'template')))
    this.#tokens = isDict(tokens) ? Object.fromEntries(dictEntries(tokens).map(([name, token]) => [name, String(token)])) : {}
  }

  writer(tools: PyValue | undefined, kwargs: PyValue | undefined): WriteChat<PyValue> {
    return (messages, isAsked) => this.render(messages, tools, kwargs, isAsked)
  }

  render(messages: readonly PyValue[], tools: PyValue | undefined, kwargs: PyValue | undefined, isAsked: boolean) {
    const input = {
      messages,
      tools: (tools ?? null) as readonly PyValue[] | null,
      addGenerationPrompt: isAsked,
      tokens: this.#tokens,
      kwargs: isDict(kwargs) ? Object.fromEntries(dictEntries(kwargs)) : {},
    }
    return renderChatPieces(this.#template, input, { clock })
  }

  /** Tools do not change the end of a turn, and their descriptions contain many look-alikes; but some templates require tools. */
  end(kwargs: PyValue | undefined): EndOfTurn {
    const key = isDict(kwargs) ? JSON.stringify(dictEntries(kwargs).map(String)) : ''
    const known = this.#ends.get(key)
    if (known !== undefined) return known
    const tokens = Object.values(this.#tokens)
    const without = endOfTurnOf(this.writer(undefined, kwargs), tokens)
    const found = without.marker === undefined ? endOfTurnOf(this.writer([], kwargs), tokens) : without
    this.#ends.set(key, found)
    return found
  }
}

type References = { templates: ReadonlyMap<string, PyDict>; conversations: ReadonlyMap<string, PyDict> }

const known = new Map<string, References>()
const compiled = new Map<PyDict, KnownTemplate>()

/** Looks up a template by name, in the vectors' folder or in the neighbouring chat vectors. */
export function templateOf(name: PyValue | undefined, folder: string): KnownTemplate | undefined {
  const entry = referencesIn(folder).templates.get(String(name))
  if (entry === undefined) return undefined
  const found = compiled.get(entry) ?? new KnownTemplate(entry)
  compiled.set(entry, found)
  return found
}

export function conversationOf(group: string, name: PyValue | undefined, folder: string): PyDict | undefined {
  return referencesIn(folder).conversations.get(`${group}/${String(name)}`)
}

function referencesIn(folder: string): References {
  const found = known.get(folder)
  if (found !== undefined) return found
  const templates = new Map<string, PyDict>()
  const conversations = new Map<string, PyDict>()
  for (const place of [join(folder, '../chat'), folder].filter(existsSync)) {
    for (const file of readdirSync(place).filter((name) => name.endsWith('.jsonl'))) {
      const lines = readFileSync(join(place, file), 'utf8').split('\n')
      const first = parseJson(lines[0] || 'null')
      if (!isDict(first) || !(isTemplate(first) || isConversation(first))) continue
      for (const line of lines) {
        const entry = line.trim() === '' ? null : parseJson(line)
        if (!isDict(entry)) continue
        if (isTemplate(entry)) templates.set(String(dictGet(entry, 'id')), entry)
        else conversations.set(`${String(dictGet(entry, 'group'))}/${String(dictGet(entry, 'id'))}`, entry)
      }
    }
  }
  known.set(folder, { templates, conversations })
  return known.get(folder)!
}

function isTemplate(entry: PyDict): boolean {
  return dictHas(entry, 'template') && dictHas(entry, 'tokens')
}

/** Fields of the mask vectors; each vector belongs to a group. */
export function isConversation(entry: PyDict): boolean {
  return ['masks', 'grow', 'stability'].includes(String(dictGet(entry, 'group'))) && dictHas(entry, 'messages')
}

export function traitsOf(message: PyValue): MessageTraits {
  if (!isDict(message)) return { role: '', hasCalls: false }
  const calls = dictGet(message, 'tool_calls')
  return { role: String(dictGet(message, 'role')), hasCalls: Array.isArray(calls) && calls.length > 0 }
}

/** Converts a UTF-16 offset to code points, as Python counts. */
export function codePoints(text: string, at: number): number {
  let count = 0
  for (const _ of text.slice(0, at)) count++
  return count
}
