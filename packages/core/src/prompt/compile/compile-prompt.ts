import { kindOf } from '../../base/errors/check.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
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
  refuseOthers(model, 'model')
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

/**
 * The same for a model that never changes, such as one of a config: its format is compiled once for all datasets, and so is what is derived
 * from the format.
 */
export function compileWithSharedFormat(model: FormatSettings, dataset: PromptSettings): PromptMaker {
  const known = sharedFormats.get(model) ?? new Map<string, Format>()
  sharedFormats.set(model, known)
  const formatWith = (quirks: Quirks) => {
    const key = [...quirks].join(' ')
    const format = known.get(key) ?? compileFormat(model, quirks)
    known.set(key, format)
    return format
  }
  return joined(formatWith, dataset)
}

/** By the model, and the names of its dataset's quirks. */
const sharedFormats = new WeakMap<FormatSettings, Map<string, Format>>()

function joined(formatWith: (quirks: Quirks) => Format, dataset: PromptSettings): PromptMaker {
  refuseOthers(dataset)
  const quirks = quirksOf(dataset.compat)
  const fromSource = compileFromSource(dataset, { formatWith, quirks, where: dataset.abbr ?? 'dataset' })
  if (fromSource) return fromSource
  refuseOthers(dataset.infer_cfg, `${dataset.abbr ?? 'dataset'} › infer_cfg`)
  return promptMaker(formatWith, dataset, { quirks, readsChats: readsChats(dataset.infer_cfg.inferencer) })
}

const fixes: Readonly<Record<string, string>> = {
  model: "pass a model: { format: 'chatml' }",
  dataset: 'pass a dataset: { infer_cfg: { prompt_template: … } }',
}

/** Programs without types pass anything. */
function refuseOthers(given: unknown, where = 'dataset'): void {
  if (typeof given === 'object' && given !== null) return
  throw new PromptError(given === undefined ? 'missing' : 'wrong-type', {
    where,
    problem: given === undefined ? 'it is missing' : `expected an object, found ${kindOf(given)}`,
    fix: fixes[where] ?? 'add it: { prompt_template: { template: … } }',
  })
}
