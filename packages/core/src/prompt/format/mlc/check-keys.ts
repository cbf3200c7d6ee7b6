import { placeOf } from '../../../base/errors/check.ts'
import { nearestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { PyFloat } from '../../../base/python/index.ts'
import type { MlcConversation } from './mlc-conversation.ts'

/** A key similar to a known one is a typo, a key of the other generation would be lost; other unknown keys are listed. */
export function checkKeys(value: object, known: readonly string[], others: readonly string[], where: string): string[] {
  return Object.keys(value).flatMap((key) => {
    if (known.includes(key)) return []
    const place = placeOf(where, [key])
    if (others.includes(key)) {
      throw new PromptError('other-generation', {
        where: place,
        problem: `"${key}" belongs to the other generation of conversation templates`,
        fix: `use the keys of this one: ${known.join(', ')}`,
      })
    }
    const near = nearestName(key, known)
    if (near === undefined) return [place]
    throw new PromptError('unknown-key', { where: place, problem: `"${key}" is not known here`, fix: `did you mean "${near}"?` })
  })
}

/** `2.0` is not an integer, as in MLC; where any number is allowed, it was converted before. */
export function refuseFloats(value: unknown, where: string): void {
  if (value instanceof PyFloat) {
    const problem = `expected an integer, found ${value.value}.0`
    throw new PromptError('wrong-type', { where, problem, fix: `write ${value.value}` })
  }
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) refuseFloats(entry, `${where}[${index}]`)
}

/** The first missing required key. */
export function requireKeys(value: object, required: readonly string[], where: string, fix: string): void {
  const missing = required.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) throw new PromptError('missing', { where: placeOf(where, [missing]), problem: `"${missing}" is missing`, fix })
}

/** The paths of a template's fields after changes, over another template or alone. */
export function writtenAt(where: string, given: object, base: MlcConversation | undefined): Pick<MlcConversation, 'path' | 'changes'> {
  if (!base) return { path: where }
  return { path: base.path, changes: { path: where, keys: [...(base.changes?.keys ?? []), ...Object.keys(given)] } }
}
