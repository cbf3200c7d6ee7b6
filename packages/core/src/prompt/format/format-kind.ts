import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import type { Format } from './format.ts'
import type { Preset } from './presets/index.ts'

/**
 * One way to declare a conversation format in a model's config. To add a kind, write an entry in a new folder, add it to
 * `formatKinds`, its settings to `format-schema.ts` and their keys to `format-keys.ts`.
 */
export type FormatKind<Settings extends object = object> = {
  isChosen(model: Settings & DeclaredFormat): boolean
  compile(model: Settings & DeclaredFormat, quirks: Quirks): Format
}

/** The context for all kinds. */
export type DeclaredFormat = {
  abbr?: string
  type?: string
  endpoint?: string
  format?: string
  /** The built-in format that `format` named. */
  preset?: Preset & { name: string }
  meta_template?: unknown
  is_api?: boolean
  format_options?: unknown
  earlier_reasoning?: 'strip' | 'keep'
}

/** The place of a model's setting, for errors. */
export function placeIn({ abbr }: Pick<DeclaredFormat, 'abbr'>, key: string): string {
  return `${abbr === undefined ? '' : `${abbr} › `}${key}`
}

/** Rejects `earlier_reasoning`, which only chat templates support. */
export function rejectEarlierReasoning(model: DeclaredFormat): void {
  if (model.earlier_reasoning === undefined) return
  throw new PromptError('unused-options', {
    where: placeIn(model, 'earlier_reasoning'),
    problem: 'only a chat template can keep or leave out the reasoning of earlier turns, and this model has none',
    fix: 'leave it out, or give the model its chat_template',
  })
}

/** Rejects `format_options`, for kinds that have none. */
export function rejectOptions(model: DeclaredFormat): void {
  rejectEarlierReasoning(model)
  if (model.format_options === undefined) return
  throw new PromptError('unused-options', {
    where: placeIn(model, 'format_options'),
    problem: model.preset ? `the format "${model.preset.name}" has no options` : 'the model names no format that could have options',
    fix: 'leave them out',
  })
}
