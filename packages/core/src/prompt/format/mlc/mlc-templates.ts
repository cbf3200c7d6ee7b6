import { nearestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type NewPreset, newTemplates } from '../presets/mlc-new.ts'
import { type OldPreset, oldTemplates } from '../presets/mlc-old.ts'

export type NamedTemplate = { key: string } & ({ generation: 'old'; preset: OldPreset } | { generation: 'new'; preset: NewPreset })

/** All named templates; those of document 003's generation first. */
export const namedTemplates: readonly NamedTemplate[] = [
  ...Object.entries(oldTemplates).map(([key, preset]) => ({ key, generation: 'old', preset }) as const),
  ...Object.entries(newTemplates).map(([key, preset]) => ({ key, generation: 'new', preset }) as const),
]

/**
 * The template with a name. If both generations have it, a bare name means the old one, as in the files that document 003 describes;
 * `new/llama-2` and `old/llama-2` select one.
 */
export function findTemplate(name: string): NamedTemplate | undefined {
  const [, generation, key] = /^(?:(old|new)\/)?(.*)$/s.exec(name)!
  return namedTemplates.find((template) => template.key === key && (generation === undefined || template.generation === generation))
}

/** As `findTemplate`, for a name that the user wrote: an unknown one is an error with the nearest names. */
export function templateNamed(name: string, where: string): NamedTemplate {
  const found = findTemplate(name)
  if (found) return found
  throw new PromptError('unknown-template', {
    where,
    problem: `there is no conversation template "${name}"`,
    fix: `${suggestTemplates(name)} (\`rolecall list formats\` lists them all)`,
  })
}

function suggestTemplates(name: string): string {
  const keys = [...new Set(namedTemplates.map(({ key }) => key))]
  const near = nearestName(name, keys)
  const alike = keys.filter((key) => key !== near && sameStart(key, name)).slice(0, 5)
  const names = [...(near === undefined ? [] : [near]), ...alike]
  if (names.length === 0) return 'choose one of the 89 shipped templates'
  return `did you mean ${names.map((key) => `"${key}"`).join(' or ')}?`
}

function sameStart(key: string, name: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const start = letters(name).slice(0, 4)
  return start.length >= 3 && letters(key).startsWith(start)
}
