import { dictGet } from '../../../base/python/index.ts'
import type { Line, Turns } from '../adapt/script.ts'

/** The lines of a script that was adapted to a conversation template, which takes only turns. */
export function spokenLines({ lines }: Turns): Line[] {
  return lines.map((line) => {
    if ('loose' in line) throw new Error('loose text was not adapted')
    return line
  })
}

/** If a reply's content is null, only its role is written. */
export function isHeader({ role, message }: Line): boolean {
  return role === 'assistant' && message !== undefined && dictGet(message, 'content') === null
}
