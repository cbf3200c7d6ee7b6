import { nearestName } from '../../nearest.ts'
import { PromptError } from '../../prompt-error.ts'
import type { ReplySyntax } from '../syntax.ts'
import { deepseek } from './deepseek.ts'
import { hermes } from './hermes.ts'
import { internlm2, internS1 } from './internlm2.ts'
import { llama3 } from './llama3.ts'
import { mistral } from './mistral.ts'
import { think } from './plain.ts'

/** The syntaxes that come with Rolecall, by name. */
export const replySyntaxes = { internlm2, 'intern-s1': internS1, hermes, llama3, mistral, deepseek, think } satisfies Record<
  string,
  ReplySyntax
>

export type SyntaxName = keyof typeof replySyntaxes

/** A syntax by its name. */
export function replySyntax(name: string): ReplySyntax {
  if (Object.hasOwn(replySyntaxes, name)) return replySyntaxes[name as SyntaxName]
  const names = Object.keys(replySyntaxes)
  const near = nearestName(name, names)
  throw new PromptError('unknown-syntax', {
    where: 'syntax',
    problem: `there is no syntax "${name}"`,
    fix: near === undefined ? `use one of ${names.join(', ')}` : `did you mean "${near}"?`,
  })
}
