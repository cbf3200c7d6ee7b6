import { dictEntries, dictGet, dictHas, type PyDict, pyStr } from '../../../packages/core/src/base/python/index.ts'
import { type Item, isObject, listOf, type Message, NotWritten, type Part, type Said, type Spoken, wordsOf } from './promised-words.ts'
import type { PipelineVector, TemplateJson, TurnJson } from './vector.ts'

type Examples = { text: string } | { parts: readonly (Part | string)[] }

/** The filled templates of a vector, before any meta template. */
export function saidIn(vector: PipelineVector): Said {
  const prompt = vector.promptTemplate ?? vector.iceTemplate
  if (!prompt) throw new NotWritten('there is no template')
  const row = maskedRow(vector)
  const examples = examplesOf(vector, prompt)
  if (prompt.messages !== undefined) return { parts: messageParts(vector, prompt, row, examples) }
  const template = bodyOf(prompt.template, vector.mode === 'gen' ? undefined : vector.label)
  const marks = marksOf(prompt, { keepsSeparator: vector.mode === 'ppl' && vector.remainSep === true })
  if (typeof template !== 'string') return { parts: dialogueParts(template, row, marks, examples) }
  if ('parts' in examples && prompt.ice_token && template.includes(prompt.ice_token)) throw new NotWritten('dialogues inside a string')
  return { text: fill(template, row, { ...marks, ice: 'text' in examples ? examples.text : '' }) }
}

/** The answer column is masked in generation. */
function maskedRow({ mode, outputColumn, entry, genFieldReplaceToken }: PipelineVector): PyDict {
  if (mode !== 'gen' || !outputColumn) return entry
  const mask = genFieldReplaceToken === undefined ? '' : (genFieldReplaceToken ?? 'None')
  const masked = dictEntries(entry).map(([name, value]) => [name, name === outputColumn ? mask : value] as const)
  return new Map(dictHas(entry, outputColumn) ? masked : [...masked, [outputColumn, mask]]) as PyDict
}

type Dialogue = Record<string, unknown>

function isDialogue(template: unknown): template is Dialogue {
  return isObject(template) && Object.keys(template).every((key) => ['begin', 'round', 'end'].includes(key))
}

function bodyOf(template: unknown, label: unknown): string | Dialogue {
  if (typeof template === 'string' || isDialogue(template)) return template
  if (!isObject(template)) throw new NotWritten('no template')
  const body = label === undefined ? Object.values(template)[0] : template[String(label)]
  if (typeof body !== 'string' && !isDialogue(body)) throw new NotWritten('no such label')
  return body
}

type Marks = {
  tokens: readonly string[]
  iceToken?: string
  sepToken?: string
  columns: Readonly<Record<string, string>>
  keepsSeparator: boolean
  removed?: string
}

function marksOf(template: TemplateJson, more: { keepsSeparator: boolean; removed?: string | undefined }): Marks {
  const columns = Object.fromEntries(Object.entries(template.column_token_map ?? {}).map(([column, token]) => [token, column]))
  const tokens = [template.ice_token, template.sep_token, ...Object.keys(columns)].filter((token): token is string => Boolean(token))
  return {
    tokens,
    columns,
    keepsSeparator: more.keepsSeparator,
    ...(template.ice_token ? { iceToken: template.ice_token } : {}),
    ...(template.sep_token ? { sepToken: template.sep_token } : {}),
    ...(more.removed ? { removed: more.removed } : {}),
  }
}

/** One pass over the template: what a value says is never looked at. */
function fill(
  text: string,
  row: PyDict,
  { tokens, iceToken, sepToken, columns, keepsSeparator, removed, ice = '' }: Marks & { ice?: string },
) {
  const literal = (own: string) => (removed ? own.replaceAll(removed, '') : own)
  const fields = (own: string) =>
    own
      .split(/(\{[^{}]*\})/)
      .map((piece, index) =>
        index % 2 === 1 && dictHas(row, piece.slice(1, -1)) ? pyStr(dictGet(row, piece.slice(1, -1))!) : literal(piece),
      )
      .join('')
  if (tokens.length === 0) return fields(text)
  const stretches = text.split(new RegExp(`(${tokens.map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`))
  return stretches
    .map((stretch, index) => {
      if (index % 2 === 0) return fields(stretch)
      if (stretch === iceToken) return ice
      if (stretch === sepToken) return keepsSeparator ? literal(stretch) : ''
      if (!dictHas(row, columns[stretch]!)) throw new NotWritten('no such column')
      return pyStr(dictGet(row, columns[stretch]!)!)
    })
    .join('')
}

function examplesOf(vector: PipelineVector, prompt: TemplateJson): Examples {
  const { iceTemplate, iceEntries, iceSeparator, iceEosToken, outputColumn, mode } = vector
  const isTurns = iceTemplate !== null && (iceTemplate.messages !== undefined || isDialogue(iceTemplate.template))
  const [separator, eos] = isTurns ? ['', ''] : [iceSeparator, iceEosToken]
  if (iceEntries.length === 0) return { text: eos }
  if (!iceTemplate) throw new NotWritten('examples without a template')
  // In generation the prompt's separator of context and answer disappears from the examples, too.
  const marks = marksOf(iceTemplate, { keepsSeparator: true, removed: mode === 'gen' ? (prompt.sep_token ?? undefined) : undefined })
  const written = iceEntries.map((row): string | Part => {
    if (Array.isArray(iceTemplate.messages)) return { kind: 'example', inside: 'chat', items: messagesIn(iceTemplate, row), row }
    const gold = outputColumn === null ? undefined : dictGet(row, outputColumn)
    if (gold === undefined) throw new NotWritten('an example without an answer')
    const body =
      isObject(iceTemplate.template) && !isDialogue(iceTemplate.template)
        ? bodyOf(iceTemplate.template, pyStr(gold))
        : bodyOf(iceTemplate.template, undefined)
    if (typeof body === 'string') return fill(body, row, marks)
    return { kind: 'example', items: listOf(body.round).map((item) => spoken(item, row, marks)), row }
  })
  if (typeof written[0] === 'string') {
    if (written.some((one) => typeof one !== 'string')) throw new NotWritten('strings and dialogues')
    return { text: written.join(separator) + eos }
  }
  const parts = written.flatMap((one) => [one, ...(separator === '' ? [] : [separator])])
  return { parts: isTurns ? parts : [...parts, eos] }
}

/** Text with the fields of a row, filled in one pass. */
export function fillOnce(text: string, row: PyDict): string {
  return fill(text, row, marksOf({}, { keepsSeparator: false }))
}

/** A turn of the dataset whose text is filled already. */
export function spokenItem(item: TurnJson): Spoken {
  return spoken(item, {}, marksOf({}, { keepsSeparator: false })) as Spoken
}

function spoken(item: string | TurnJson, row: PyDict, marks: Marks & { ice?: string }): Item {
  if (typeof item === 'string') return fill(item, row, marks)
  return {
    role: item.role ?? '',
    ...(item.fallback_role ? { fallback: item.fallback_role } : {}),
    ...(item.prompt === undefined ? {} : { words: fill(item.prompt, row, marks) }),
    ...(item.begin === undefined ? {} : { begin: wordsOf(item.begin) }),
    ...(item.end === undefined ? {} : { end: wordsOf(item.end) }),
    ...(item.generate === undefined ? {} : { generate: item.generate === true }),
  }
}

function dialogueParts(template: Dialogue, row: PyDict, marks: Marks, examples: Examples): Part[] {
  const parts: Part[] = []
  for (const kind of ['begin', 'round', 'end'] as const) {
    let items: Item[] = []
    const close = () => {
      if (items.length > 0) parts.push({ kind, items, row })
      items = []
    }
    const place = (item: string | TurnJson) => {
      if ('text' in examples) items.push(spoken(item, row, { ...marks, ice: examples.text }))
      else if (typeof item !== 'string') {
        if (marks.iceToken && item.prompt?.includes(marks.iceToken)) throw new NotWritten('dialogues inside a turn')
        items.push(spoken(item, row, marks))
      } else {
        for (const [index, stretch] of (marks.iceToken ? item.split(marks.iceToken) : [item]).entries()) {
          for (const example of index > 0 ? examples.parts : []) {
            if (typeof example === 'string') items.push(example)
            else {
              close()
              parts.push({ ...example, inside: example.inside ?? kind })
            }
          }
          if (stretch !== '') items.push(spoken(stretch, row, marks))
        }
      }
    }
    for (const item of listOf(template[kind])) place(item)
    close()
    if (kind === 'round' && template.round === undefined) parts.push({ kind, items: [], row, isAbsent: true })
  }
  return parts
}

function messagesIn({ messages, format_variables: fills }: TemplateJson, row: PyDict): Spoken[] {
  return (messages as (string | Record<string, unknown>)[]).flatMap((message): Spoken[] => {
    if (typeof message === 'string') return []
    if ('expand_column' in message) {
      const value = dictGet(row, String(message.expand_column))
      return Array.isArray(value) ? value.map((one) => asSpoken(Object.fromEntries(dictEntries(one as PyDict)) as Message)) : []
    }
    return [asSpoken((fills === false ? message : { ...message, content: filledValue(message.content, row) }) as Message)]
  })
}

/** A content with its fields filled, in every string of a list of parts. */
function filledValue(value: unknown, row: PyDict): unknown {
  if (typeof value === 'string') return fillOnce(value, row)
  if (Array.isArray(value)) return value.map((item) => filledValue(item, row))
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledValue(item, row)])) : value
}

function asSpoken(message: Message): Spoken {
  return { role: message.role, words: typeof message.content === 'string' ? message.content : '', message }
}

function messageParts(vector: PipelineVector, prompt: TemplateJson, row: PyDict, examples: Examples): Part[] {
  const { mode, outputColumn } = vector
  const given = prompt.messages as (string | Record<string, unknown>)[]
  const last = given.at(-1)
  // An answer that shows the masked column is left to the model.
  const shows = isObject(last) && last.role === 'assistant' && typeof last.content === 'string' && prompt.format_variables !== false
  const answers = mode === 'gen' && outputColumn !== null && shows && String(last.content).includes(`{${outputColumn}}`)
  const parts = (answers ? given.slice(0, -1) : given).flatMap((message): Part[] => {
    if (message === (prompt.ice_token ?? '</E>'))
      return 'parts' in examples ? examples.parts.filter((part) => typeof part !== 'string') : []
    const items = messagesIn({ ...prompt, messages: [message] }, row)
    return items.length === 0 ? [] : [{ kind: 'chat', items, row }]
  })
  if (parts.length === 0) throw new NotWritten('nothing to send')
  return parts
}
