import { replySyntax } from '../../../packages/core/src/reply/families/reply-syntaxes.ts'
import type { ReplySyntax } from '../../../packages/rolecall/src/index.ts'
import { syntaxOfTemplate, templateOf } from './templates.ts'
import type { ReplyVector } from './vector.ts'

const derived = new Map<string, ReplySyntax | undefined>()

/** The syntax of a vector's family or form; for an unknown family, derived from its template. */
export function syntaxFor({ family, form }: ReplyVector, folder: string): ReplySyntax | undefined {
  const known = named(family) ?? (form === undefined ? undefined : named(form))
  if (known) return known
  const key = `${folder} ${family}`
  if (!derived.has(key)) {
    const template = templateOf(family, folder)
    derived.set(key, template && syntaxOfTemplate(template).syntax)
  }
  return derived.get(key)
}

function named(name: string): ReplySyntax | undefined {
  try {
    return replySyntax(name)
  } catch {
    return undefined
  }
}
