import { PromptError } from '@rolecall/core/internal/errors'
import { formatNamed, templateNamed, withCompiler } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import { type GivenFormat, inFormat } from '../evaluation/config/in-format.ts'
import type { LoadedConfig } from '../node/config/load-config.ts'
import { shownHubPath } from '../node/hub/hub-name.ts'
import { chooseTemplate, loadChatTemplate, tokensAlone, withSpecialTokens } from '../node/models/load-chat-template.ts'
import { mlcModelOf } from '../node/models/read-mlc-config.ts'
import { isolatedTemplate } from '../node/templates/isolated-template.ts'

/** The flags that override the format of all models. */
export type FormatFlags = { format?: string; convTemplate?: string; mlcConfig?: string; chatTemplate?: string; specialTokens?: string }

/** The format from the flags and its name, if any. */
export function givenFormat({ format, convTemplate, mlcConfig, chatTemplate, specialTokens }: FormatFlags): GivenFormat | undefined {
  refuseTwo({ '--format': format, '--conv-template': convTemplate, '--chat-template': chatTemplate })
  refuseTwo({ '--format': format, '--mlc-config': mlcConfig, '--chat-template': chatTemplate })
  if (format !== undefined) return { name: format, model: formatNamed(format, '--format') }
  if (chatTemplate !== undefined) {
    const loaded = withSpecialTokens(loadChatTemplate(chatTemplate), specialTokens)
    const model = { chat_template: chooseTemplate(loaded), special_tokens: { ...loaded.specialTokens } }
    return { name: shownHubPath(chatTemplate), model: withCompiler(model, isolatedTemplate), notes: loaded.notes ?? [] }
  }
  if (specialTokens !== undefined) throw tokensAlone()
  if (convTemplate !== undefined) templateNamed(convTemplate, '--conv-template')
  const template = convTemplate === undefined ? {} : { conv_template: convTemplate }
  if (mlcConfig !== undefined)
    return { name: convTemplate ?? mlcConfig, model: { ...mlcModelOf(mlcConfig, process.cwd(), '--mlc-config'), ...template } }
  return convTemplate === undefined ? undefined : { name: convTemplate, model: template }
}

/** Applies the format from the flags to all models of a config. */
export function inGivenFormat(loaded: LoadedConfig, flags: FormatFlags): LoadedConfig {
  const given = givenFormat(flags)
  if (given === undefined) return loaded
  // CheckedConfig leaves the format keys out of its type, because formats are checked when they are compiled.
  const models = inFormat(loaded.config.models as ModelConfig[], given) as LoadedConfig['config']['models']
  return { ...loaded, config: { ...loaded.config, models, warnings: [...loaded.config.warnings, ...(given.notes ?? [])] } }
}

function refuseTwo(flags: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
  if (given.length < 2) return
  throw new PromptError('two-formats', {
    where: given.join(', '),
    problem: 'only one format can be set',
    fix: 'remove the others',
  })
}
