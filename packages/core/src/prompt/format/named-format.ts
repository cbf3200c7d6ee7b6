import { nearestName } from '../../base/errors/nearest.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { findTemplate, namedTemplates } from './mlc/mlc-templates.ts'
import { presets } from './presets/index.ts'

/** Whether `rolecall list formats` lists a name: a built-in format or an MLC conversation template. */
export function isFormatName(name: string): boolean {
  return Object.hasOwn(presets, name) || findTemplate(name) !== undefined
}

/**
 * The setting that a format's name stands for: a built-in format, else an MLC conversation template.
 *
 * @example
 * formatNamed('chatml', '--format') // => { format: 'chatml' }
 * formatNamed('vicuna_v1.1', '--format') // => { conv_template: 'vicuna_v1.1' }
 */
export function formatNamed(name: string, where: string): { format: string } | { conv_template: string } {
  if (Object.hasOwn(presets, name)) return { format: name }
  if (findTemplate(name)) return { conv_template: name }
  throw unknownFormat(name, where)
}

/** Users often give a model's name, e.g. `llama3`, and mean its own chat template. */
export function unknownFormat(name: string, where: string): PromptError {
  const slip = nearestName(name, Object.keys(presets))
  const near = nearTemplates(name).map((one) => `"${one}"`)
  const names = near.length === 0 ? `use one of: ${Object.keys(presets).join(', ')}` : `did you mean ${near.join(' or ')}?`
  return new PromptError('unknown-format', {
    where,
    problem: `there is no format "${name}"`,
    fix:
      slip === undefined
        ? `${names} (\`rolecall list formats\` lists them all); a model's own chat template is given by its folder, with --format, or as chat_template in a config`
        : `did you mean "${slip}"?`,
  })
}

/** The nearest MLC conversation template, and up to four with the same prefix. */
function nearTemplates(name: string): string[] {
  const all = [...new Set(namedTemplates.map(({ key }) => key))]
  const near = nearestName(name, all)
  const alike = all.filter((key) => key !== near && sameStart(key, name)).slice(0, 4)
  return [...(near === undefined ? [] : [near]), ...alike]
}

function sameStart(key: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const start = letters(name).slice(0, 4)
  return start.length >= 3 && letters(key).startsWith(start)
}
