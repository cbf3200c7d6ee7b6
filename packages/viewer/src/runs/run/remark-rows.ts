import { type Remark, remarkKinds } from 'rolecall/internal/evaluation/run/record/remarks'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'

/** Groups remarks by kind, and notes by code. */
export function remarkGroups<One extends { remark: Remark }>(all: readonly One[]) {
  const groups = new Map<string, { kind: Remark['kind']; code: string | undefined; about: One[] }>()
  for (const one of all) {
    const { kind, code } = one.remark
    const key = `${kind} ${code ?? ''}`
    const group = groups.get(key) ?? { kind, code, about: [] }
    group.about.push(one)
    groups.set(key, group)
  }
  return [...groups.values()].sort((one, other) => remarkKinds.indexOf(one.kind) - remarkKinds.indexOf(other.kind))
}

/** The filter that shows exactly the rows that a remark counts; undefined if it counts none of the run's rows. */
export function rowsOf(
  { kind, code, detail, rows, isOfWhole }: Remark,
  { answers, rows: all }: Pick<PairResult, 'answers' | 'rows'>,
): Readonly<Record<string, string>> | undefined {
  switch (kind) {
    case 'failed':
      return { show: answers.notDecided === 0 ? 'failed' : answers.failed === 0 ? 'not-decided' : 'none' }
    case 'cut':
      return { show: 'limit' }
    case 'no-gold':
      return { show: 'no-gold' }
    case 'wrong-calls':
      return detail === undefined ? { show: 'wrong' } : { reason: detail }
    case 'cached':
      return { show: 'cached' }
    case 'skipped':
      return undefined
    case 'examples-dropped':
      return { note: 'examples-dropped' }
    case 'note':
      // About all rows: these are opened. About some that the run does not name: there is nothing to open.
      if (isOfWhole) return rows === all ? {} : undefined
      return { note: code!, ...(detail === undefined ? {} : { said: detail }) }
    default:
      return {}
  }
}
