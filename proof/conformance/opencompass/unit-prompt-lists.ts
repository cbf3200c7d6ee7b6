import type { Quirks } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { plain, replaceText } from '../../../packages/core/src/base/text/index.ts'
import { compileFormat } from '../../../packages/core/src/prompt/format/compile-format.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'
import { plainValue } from './plain-value.ts'
import { spokenItem } from './promised-dialogue.ts'
import type { Part, Spoken } from './promised-words.ts'
import { isMarker, type PromptListItem, readPromptList } from './prompt-list.ts'
import type { PipelineVector, TurnJson } from './vector.ts'

export type Addend = string | PromptListItem[]
export type ParseArgs = { promptList: PromptListItem[]; metaTemplate: unknown; model: 'lm' | 'api'; mode: 'gen' | 'ppl' }
/** The reference's list of markers and items as parts of a dialogue; outside a section, and without a meta template, everything is beginning. */
export function partsOf({ promptList, metaTemplate }: ParseArgs): Part[] {
  const hasMeta = typeof metaTemplate === 'object' && metaTemplate !== null && Object.keys(metaTemplate).length > 0
  const parts: Part[] = []
  const open: Part['kind'][] = []
  for (const item of promptList) {
    if (!isMarker(item)) {
      const kind = hasMeta ? (open.at(-1) ?? 'begin') : 'begin'
      const read: string | Spoken = typeof item === 'string' ? item : spokenItem(item)
      const last = parts.at(-1)
      if (last?.kind === kind && last.isOpen) last.items.push(read)
      else parts.push({ kind, items: [read], row: {}, isOpen: true })
    } else {
      for (const part of parts) part.isOpen = false
      if (item.pos === 'begin') {
        open.push(item.section === 'ice' ? 'example' : (item.section as Part['kind']))
        if (item.section === 'round' || item.section === 'ice') parts.push({ kind: open.at(-1)!, items: [], row: {}, isOpen: true })
      } else open.pop()
    }
  }
  return parts
}

export function mapText(item: PromptListItem, change: (text: string) => string): PromptListItem {
  if (typeof item === 'string') return change(item)
  return isMarker(item) || item.prompt === undefined ? item : { ...item, prompt: change(item.prompt) }
}

export function replaceInList(
  list: readonly PromptListItem[],
  token: string,
  by: string | { promptList: PromptListItem[] },
): PromptListItem[] {
  const source = { by: 'template', path: 'list' } as const
  if (typeof by === 'string')
    return list.map((item) => mapText(item, (text) => textOf(replaceText([plain(text, source)], token, [plain(by, source)]))))
  return list.flatMap((item): PromptListItem[] => {
    if (typeof item !== 'string') {
      if (!isMarker(item) && item.prompt?.includes(token))
        throw new PromptError('dialogue-in-turn', {
          where: 'list',
          problem: 'turns cannot stand inside a turn',
          fix: 'give each a separate entry',
        })
      return [item]
    }
    return item.split(token).flatMap((part, index) => [...(index > 0 ? by.promptList : []), ...(part === '' ? [] : [part])])
  })
}

export function asItems(addend: Addend): PromptListItem[] {
  return typeof addend === 'string' ? (addend === '' ? [] : [addend]) : addend
}

export function itemText(item: unknown): string {
  if (typeof item === 'string') return item
  if (typeof item === 'object' && item !== null) return (item as TurnJson).prompt ?? ''
  throw new PromptError('wrong-type', { where: 'list', problem: 'neither text nor a turn', fix: 'remove it' })
}

export function parse({ promptList, metaTemplate, model, mode }: ParseArgs, quirks: Quirks): unknown {
  const format = compileFormat({ meta_template: metaTemplate, is_api: model === 'api' }, quirks)
  if (mode !== 'gen' && mode !== 'ppl')
    throw new PromptError('wrong-value', { where: 'mode', problem: `no mode ${String(mode)}`, fix: 'use gen or ppl' })
  const hasMeta = typeof metaTemplate === 'object' && metaTemplate !== null && Object.keys(metaTemplate).length > 0
  const prompt = format.render(readPromptList(promptList, hasMeta), { want: mode === 'gen' ? 'generate' : 'complete' })
  return plainValue(prompt)
}

/** A marker list as the pipeline rules see input: which strings and turns occur in which section. */
export function asPipeline({ promptList, metaTemplate, model, mode }: ParseArgs): PipelineVector {
  const parts: Record<string, (string | TurnJson)[]> = { begin: [], round: [], end: [] }
  const open: string[] = []
  for (const item of promptList) {
    if (!isMarker(item)) parts[open.at(-1) === 'ice' || open.length === 0 ? 'begin' : open.at(-1)!]?.push(item)
    else if (item.pos === 'begin') open.push(item.section)
    else open.pop()
  }
  const template = { ...parts, ...(parts.end!.length > 0 ? {} : { end: undefined }) }
  const { begin, round, end } = template as { begin: unknown; round: unknown; end?: unknown }
  return {
    id: 'unit/parse',
    iceTemplate: null,
    promptTemplate: { template: { begin, round, ...(end === undefined ? {} : { end }) } },
    metaTemplate,
    model,
    mode,
    entry: {},
    iceEntries: [],
    iceSeparator: '',
    iceEosToken: '',
    outputColumn: null,
  }
}
