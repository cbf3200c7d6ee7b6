import type { ReplySyntax } from '../../src/index.ts'
import { replySyntax } from '../../src/parse/syntaxes/index.ts'
import type { ReplyVector } from './vector.ts'

/** The syntax of a vector's family, or of its form. */
export function syntaxFor({ family, form }: ReplyVector, _folder: string): ReplySyntax | undefined {
  return named(family) ?? named(form)
}

function named(name: string): ReplySyntax | undefined {
  try {
    return replySyntax(name)
  } catch {
    return undefined
  }
}
