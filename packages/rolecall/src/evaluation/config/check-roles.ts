import type { Note } from '@rolecall/core/internal/errors'
import { foldName, nearestName, PromptError, placeOf } from '@rolecall/core/internal/errors'
import type { CheckedConfig } from './check-config.ts'

/** Role names that every format knows. */
const speakers = ['HUMAN', 'BOT', 'SYSTEM', 'user', 'assistant', 'system']

/** Roles that only some built-in formats have. */
const rarer = ['THOUGHTS', 'COMMANDS', 'RESULTS', 'environment', 'tool', 'function']

/** Role names of other programs. */
const otherNames: Readonly<Record<string, string>> = {
  user: 'HUMAN',
  human: 'HUMAN',
  question: 'HUMAN',
  assistant: 'BOT',
  ai: 'BOT',
  bot: 'BOT',
  model: 'BOT',
  gpt: 'BOT',
  answer: 'BOT',
  system: 'SYSTEM',
  sys: 'SYSTEM',
}

/**
 * Checks the roles of all templates, since a format without roles would silently render their text. A misspelt role
 * is an error, or with `asWarnings` a warning; a role that no model has is a warning.
 */
export function checkRoles({ models, datasets }: Pick<CheckedConfig, 'models' | 'datasets'>, where: string, asWarnings = false): Note[] {
  // A chat template may define any role.
  if (models.some(({ chat_template: template }) => template !== undefined)) return []
  const known = new Set([...speakers, ...rarer, ...models.flatMap(({ meta_template: template }) => rolesOf(template))])
  const turns = datasets.flatMap((dataset, index) => {
    if (dataset.compat !== undefined) return []
    const place = placeOf(where, ['datasets', index])
    const { prompt_template: prompt, ice_template: ice } = dataset.infer_cfg as { prompt_template?: unknown; ice_template?: unknown }
    return [...turnsIn(prompt, `${place}.infer_cfg.prompt_template`), ...turnsIn(ice, `${place}.infer_cfg.ice_template`)]
  })
  return turns.flatMap(({ role, place }): Note[] => {
    if (known.has(role)) return []
    const meant = otherNames[foldName(role)] ?? nearestName(role, known)
    const problem = `there is no role "${role}"`
    if (meant === undefined)
      return [{ code: 'unknown-role', where: place, text: `${problem} in a format of this config: one that writes roles refuses it` }]
    if (asWarnings) return [{ code: 'unknown-role', where: place, text: `${problem}; did you mean "${meant}"?` }]
    throw new PromptError('unknown-role', { where: place, problem, fix: `did you mean "${meant}"?` })
  })
}

/** The roles that a meta template defines. */
function rolesOf(template: unknown): string[] {
  const { round, reserved_roles: reserved } = (template ?? {}) as { round?: unknown; reserved_roles?: unknown }
  return [round ?? [], reserved ?? []].flat().flatMap((entry) => {
    const role: unknown = typeof entry === 'object' && entry !== null && 'role' in entry ? entry.role : undefined
    return typeof role === 'string' ? [role] : []
  })
}

/** The turns of a dialogue, or of each label's dialogue, except those with a fallback_role. */
function turnsIn(value: unknown, place: string): { role: string; place: string }[] {
  if (typeof value !== 'object' || value === null || 'messages' in value) return []
  if ('role' in value && typeof value.role === 'string')
    return 'fallback_role' in value && value.fallback_role ? [] : [{ role: value.role, place: `${place}.role` }]
  return Object.entries(value).flatMap(([key, entry]) => turnsIn(entry, placeOf(place, [Array.isArray(value) ? Number(key) : key])))
}
