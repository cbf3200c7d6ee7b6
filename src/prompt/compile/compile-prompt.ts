import { type Quirks, quirksOf } from '../../base/fidelity/quirks.ts'
import type { PromptSettings } from '../conversation/prompt-settings.ts'
import { compileFormat } from '../format/compile-format.ts'
import type { Format } from '../format/format.ts'
import type { FormatSettings } from '../format/format-schema.ts'
import { readsChats } from './chat-of-row.ts'
import { type PromptMaker, promptMaker } from './prompt-maker.ts'
import { compileFromSource } from './prompt-sources.ts'

/**
 * Combines a model and a dataset: returns the exact prompt for a row.
 *
 * @example
 * const maker = compilePrompt(
 *   { meta_template: { round: [{ role: 'HUMAN', begin: 'USER: ', end: '\n' }, { role: 'BOT', begin: 'BOT: ', generate: true }] } },
 *   { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } } },
 * )
 * const { prompt } = maker.render({ row: { question: '1+1=?' }, mode: 'gen' })
 * promptText(prompt) // => 'USER: 1+1=?\nBOT: '
 */
export function compilePrompt(model: FormatSettings, dataset: PromptSettings): PromptMaker {
  return joined((quirks) => compileFormat(model, quirks), dataset)
}

/**
 * The same with a given format: a program that names it (`metaTemplateFormat`, `chatTemplateFormat`…) loads no other.
 *
 * @example
 * const format = metaTemplateFormat({ round: [{ role: 'HUMAN', begin: 'USER: ', end: '\n' }, { role: 'BOT', begin: 'BOT: ', generate: true }] })
 * const maker = compilePromptIn(format, { infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{question}' }] } } } })
 * promptText(maker.render({ row: { question: '1+1=?' }, mode: 'gen' }).prompt) // => 'USER: 1+1=?\nBOT: '
 */
export function compilePromptIn(format: Format, dataset: PromptSettings): PromptMaker {
  return joined(() => format, dataset)
}

function joined(formatWith: (quirks: Quirks) => Format, dataset: PromptSettings): PromptMaker {
  const quirks = quirksOf(dataset.compat)
  const fromSource = compileFromSource(dataset, { formatWith, quirks, where: dataset.abbr ?? 'dataset' })
  if (fromSource) return fromSource
  return promptMaker(formatWith, dataset, { quirks, readsChats: readsChats(dataset.infer_cfg.inferencer?.type) })
}
