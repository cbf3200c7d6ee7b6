import { chatTemplateKind } from './chat-template/chat-template-kind.ts'
import { internlm2Kind } from './internlm2/internlm2-kind.ts'
import { metaTemplateKind } from './meta/meta-template-kind.ts'
import { mlcKind } from './mlc/mlc-kind.ts'
import { findTemplate } from './mlc/mlc-templates.ts'
import type { MoreFormats } from './more-formats.ts'
import { unknownFormat } from './named-format.ts'
import { ollamaKind } from './ollama/ollama-kind.ts'
import { asEngine } from './parts/as-engine.ts'
import { placeholderModels, placeholdersOf } from './parts/vllm-placeholders.ts'
import { presets } from './presets/index.ts'
import { writesTools } from './roles/climb.ts'
import { lostToolTexts } from './roles/lost-tool-texts.ts'
import { withPlaceholders } from './roles/media-placeholders.ts'
import { rolesOf } from './roles/roles-cache.ts'
import { areInOrder, writeClimbing } from './roles/write-climbing.ts'

/** All formats and rules. A bundle that uses this has a third more code for prompts. */
export const everyFormat: MoreFormats = {
  kinds: [ollamaKind, mlcKind, chatTemplateKind, internlm2Kind, metaTemplateKind],
  presets,
  isTemplate: (name) => findTemplate(name) !== undefined,
  unknownFormat,
  engines: { asEngine, placeholdersOf, placeholderModels },
  ladder: { areInOrder, lostToolTexts, rolesOf, withPlaceholders, writeClimbing, writesTools },
}
