import { control, plain } from '../../../packages/core/src/base/text/index.ts'
import { readAffix } from '../../../packages/core/src/prompt/conversation/affix.ts'
import type { Conversation, Item, Section } from '../../../packages/core/src/prompt/conversation/conversation.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'
import type { TurnJson } from './vector.ts'

/**
 * Converts the reference's intermediate list, where marker items open and close sections, to a Conversation. Markers exist
 * only in vectors; a list with unbalanced markers is rejected, as the reference does once it reads them.
 */
export type PromptListItem = string | Marker | TurnJson
type Marker = { section: string; pos: string }

export function isMarker(item: PromptListItem): item is Marker {
  return typeof item === 'object' && 'section' in item && 'pos' in item
}

/** Without a meta template the reference skips all markers, so it accepts unbalanced ones. */
export function readPromptList(list: readonly PromptListItem[], readsMarkers: boolean): Conversation {
  const sections: Section[] = []
  const open: { kind: 'begin' | 'round' | 'end' | 'example'; items: Item[] }[] = []
  const put = (item: Item) => {
    const current = open.at(-1)
    if (current) current.items.push(item)
    else if ('loose' in item || !readsMarkers) sections.push({ kind: 'begin', items: [item] })
    else throw bad('a turn stands outside all sections')
  }
  for (const [index, item] of list.entries()) {
    if (!isMarker(item)) put(readItem(item, `promptList[${index}]`))
    else if (!readsMarkers) continue
    else if (item.pos === 'begin') {
      const kind = item.section === 'ice' ? 'example' : item.section
      if (kind !== 'begin' && kind !== 'round' && kind !== 'end' && kind !== 'example') throw bad(`no section ${item.section}`)
      const outer = open.at(-1)
      if (outer && outer.items.length > 0) sections.push({ kind: outer.kind, items: outer.items.splice(0) })
      open.push({ kind, items: [] })
    } else if (item.pos === 'end') {
      const closed = open.pop()
      if (!closed || closed.kind !== (item.section === 'ice' ? 'example' : item.section))
        throw bad(`section ${item.section} ends, which is not the one that began`)
      const inside = open.at(-1)?.kind
      if (closed.items.length > 0 || closed.kind === 'round' || closed.kind === 'example') {
        sections.push({
          kind: closed.kind,
          items: closed.items,
          ...(closed.kind === 'example' && inside && inside !== 'example' ? { inside } : {}),
        })
      }
    } else throw bad(`invalid pos ${item.pos}`)
  }
  return { kind: 'dialogue', sections, notes: [] }
}

function readItem(item: string | TurnJson, path: string): Item {
  if (typeof item === 'string') return { loose: item === '' ? [] : [control(item, { by: 'template', path })], path }
  const override = {
    ...(item.begin === undefined ? {} : { begin: readAffix(item.begin as string, { by: 'template', path: `${path}.begin` }) }),
    ...(item.end === undefined ? {} : { end: readAffix(item.end as string, { by: 'template', path: `${path}.end` }) }),
    ...(item.generate === undefined ? {} : { generate: item.generate === true }),
  }
  return {
    role: item.role ?? '',
    ...(item.fallback_role === undefined ? {} : { fallbackRole: item.fallback_role }),
    ...(item.prompt === undefined ? {} : { content: [plain(item.prompt, { by: 'template', path: `${path}.prompt` })] }),
    override,
    path,
  }
}

function bad(problem: string): PromptError {
  return new PromptError('bad-prompt-list', { where: 'promptList', problem, fix: 'close every section that was opened' })
}
