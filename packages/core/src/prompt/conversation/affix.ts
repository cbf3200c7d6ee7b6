import { control, type Source } from '../../base/text/index.ts'
import type { Affix } from './conversation.ts'

/** `begin` and `end` as configured: a string, or a list of strings and token ids, which stay ids. */
export function readAffix(value: string | readonly (string | number)[], source: Source): Affix {
  if (typeof value === 'string') return value === '' ? [] : [control(value, source)]
  return value.map((part, index) => {
    const place = { ...source, path: `${source.path}[${index}]` }
    return typeof part === 'string' ? control(part, place) : { ids: [part], source: place }
  })
}
