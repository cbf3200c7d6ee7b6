import { suggestName } from '../../../base/errors/nearest.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { neededFormats } from '../more-formats.ts'
import type { Modality } from '../parts/engine-message.ts'
import type { PartsEngine } from '../parts/parts-engine.ts'
import type { Placeholders } from '../parts/vllm.ts'
import type { PartsOptions } from './prepare-contents.ts'

/** The setting `parts` of a model. */
export type PartsSetting =
  | PartsEngine
  | {
      engine: PartsEngine
      form?: 'string' | 'parts' | undefined
      architecture?: string | undefined
      placeholders?: Placeholders | undefined
      interleave?: boolean | undefined
      accepts?: Modality[] | undefined
      media_marker?: string | undefined
    }

/** The setting with the placeholders of the architecture it names. */
export function partsOptions(setting: PartsSetting | undefined, where: string): PartsOptions | undefined {
  if (setting === undefined) return undefined
  const { placeholdersOf, placeholderModels } = neededFormats(where, 'the rules of serving stacks are').engines
  if (typeof setting === 'string') return { engine: setting }
  const { engine, form, architecture, placeholders, interleave, accepts, media_marker: mediaMarker } = setting
  const known = architecture === undefined ? undefined : placeholdersOf(architecture)
  if (architecture !== undefined && known === undefined)
    throw new PromptError('unknown-architecture', {
      where: `${where}.architecture`,
      problem: `vLLM's placeholders of "${architecture}" are not known`,
      fix: `${suggestName(architecture, placeholderModels())}; or give placeholders`,
    })
  return { engine, form, placeholders: placeholders ?? known, interleave, accepts, mediaMarker }
}
