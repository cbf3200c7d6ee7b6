import { PromptError } from '../../base/errors/prompt-error.ts'
import type { FormatKind } from './format-kind.ts'
import type { asEngine } from './parts/as-engine.ts'
import type { placeholderModels, placeholdersOf } from './parts/vllm-placeholders.ts'
import type { Preset } from './presets/index.ts'
import type { writesTools } from './roles/climb.ts'
import type { lostToolTexts } from './roles/lost-tool-texts.ts'
import type { withPlaceholders } from './roles/media-placeholders.ts'
import type { rolesOf } from './roles/roles-cache.ts'
import type { areInOrder, writeClimbing } from './roles/write-climbing.ts'

/** What only some programs need, a third of the code of a prompt: formats of MLC, InternLM2 and Ollama, the rules of serving stacks and of `roles`. */
export type MoreFormats = {
  /** All kinds of formats; the first that a model's settings choose compiles them. */
  kinds: readonly FormatKind<never>[]
  presets: Readonly<Record<string, Preset>>
  /** Whether a conversation template of MLC has the name. */
  isTemplate(name: string): boolean
  unknownFormat(name: string, where: string): PromptError
  engines: { asEngine: typeof asEngine; placeholdersOf: typeof placeholdersOf; placeholderModels: typeof placeholderModels }
  ladder: {
    areInOrder: typeof areInOrder
    lostToolTexts: typeof lostToolTexts
    rolesOf: typeof rolesOf
    withPlaceholders: typeof withPlaceholders
    writeClimbing: typeof writeClimbing
    writesTools: typeof writesTools
  }
}

let loaded: MoreFormats | undefined

/** What importing `@rolecall/core/all-formats`, or anything else that needs it, has loaded. */
export function loadedFormats(): MoreFormats | undefined {
  return loaded
}

export function loadFormats(formats: MoreFormats): void {
  loaded = formats
}

/** The same where a program has asked for it by name. */
export function neededFormats(where: string, what: string): MoreFormats {
  if (loaded !== undefined) return loaded
  throw new PromptError('format-not-loaded', { where, problem: `${what} not loaded, to keep programs small`, fix: loadThem })
}

/** The end of a sentence. */
export const loadThem = "import '@rolecall/core/all-formats' (or 'rolecall/all-formats') first, which loads all formats"
