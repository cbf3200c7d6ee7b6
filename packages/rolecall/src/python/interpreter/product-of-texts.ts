import type { Clause, Expression } from '@rolecall/core/internal/python'
import { isListValue, type Value } from '@rolecall/core/internal/python'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'

/**
 * `[f"{a}-{b}" for a in first for b in second]` of lists of texts, which has millions of items where a task makes keys of two words;
 * undefined for any other comprehension.
 */
export function productOfTexts(session: Session, item: Expression, clauses: readonly Clause[], scope: Scope): string[] | undefined {
  if (item.kind !== 'formatted') return undefined
  const names = clauses.map(({ target }) => (target.kind === 'name' ? target.name : ''))
  const parts = item.parts.map((part) => (typeof part === 'string' ? part : placeOf(part, names)))
  if (parts.includes(-1) || new Set(names).size < names.length || names.includes('')) return undefined
  const lists = clauses.map(({ items, tests }) => {
    const isPlain = tests.length === 0 && items.kind === 'name' && !names.includes(items.name)
    return isPlain ? textsOf(scope.get(items.name)) : undefined
  })
  if (!lists.every((list) => list !== undefined)) return undefined
  const count = lists.reduce((total, list) => total * list.length, 1)
  if (count === 0) return []
  session.step(count)
  session.allocate(null, count * (1 + parts.length))
  let found: string[][] = [[]]
  for (const list of lists.slice(0, -1)) found = found.flatMap((chosen) => list.map((text) => [...chosen, text]))
  const last = lists.at(-1)!
  const made: string[] = []
  for (const chosen of found)
    for (const text of last) {
      let joined = ''
      for (const part of parts) joined += typeof part === 'string' ? part : part === chosen.length ? text : chosen[part]!
      made.push(joined)
    }
  return made
}

/** The place of the name in `{name}`; -1 for what is more than a name. */
function placeOf({ value, conversion, format, debug }: Exclude<Formatted, string>, names: readonly string[]): number {
  const isName = value.kind === 'name' && conversion === undefined && format === undefined && debug === undefined
  return isName ? names.indexOf(value.name) : -1
}

type Formatted = Extract<Expression, { kind: 'formatted' }>['parts'][number]

function textsOf(value: Value | undefined): readonly string[] | undefined {
  return isListValue(value) && value.every((text) => typeof text === 'string') ? (value as readonly string[]) : undefined
}
