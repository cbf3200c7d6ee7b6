import { suggestName } from '../config/nearest.ts'
import { PromptError } from '../prompt-error.ts'
import { generalPostprocess } from './general-postprocess.ts'

/** What can be done to an answer before it is compared, by the names that OpenCompass has for it. */
export const postprocessors: Readonly<Record<string, (text: string) => string>> = {
  general: generalPostprocess,
  general_postprocess: generalPostprocess,
}

/** The postprocessor that a config names; without one, text stays as it is. */
export function postprocessorOf(config: string | { type: string } | undefined, where: string): (text: string) => string {
  if (config === undefined) return (text) => text
  const name = (typeof config === 'string' ? config : config.type).split('.').at(-1)!
  const found = Object.hasOwn(postprocessors, name) ? postprocessors[name] : undefined
  if (found) return found
  throw new PromptError('unknown-postprocessor', {
    where,
    problem: `"${name}" is not available`,
    fix: suggestName(name, Object.keys(postprocessors)),
  })
}
