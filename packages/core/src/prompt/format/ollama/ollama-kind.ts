import { PromptError } from '../../../base/errors/prompt-error.ts'
import { type FormatKind, placeIn, rejectOptions } from '../format-kind.ts'
import { ollamaFormat } from './ollama-format.ts'
import { readModelfile } from './read-modelfile.ts'

export type OllamaSettings = { ollama_template?: string }

type Model = OllamaSettings & { [Key in (typeof others)[number]]?: unknown }

const others = ['format', 'meta_template', 'chat_template', 'conv_template', 'conv_config', 'mlc_config'] as const

/** Templates of Ollama, alone or in a Modelfile with SYSTEM and stops. */
export const ollamaKind = {
  isChosen: ({ ollama_template: template }) => template !== undefined,
  compile(model) {
    const where = placeIn(model, 'ollama_template')
    rejectOptions(model)
    const other = others.find((key) => model[key])
    if (other !== undefined)
      throw new PromptError('two-formats', {
        where,
        problem: `the model has both an ollama_template and a ${other}`,
        fix: 'keep one of them',
      })
    const { template, ...options } = readModelfile(model.ollama_template ?? '', where)
    return ollamaFormat(template, { where, ...options })
  },
} satisfies FormatKind<Model>
