import { PromptError } from '@rolecall/core/internal/errors'
import { namesFormat } from '@rolecall/core/internal/format'
import * as z from 'zod/mini'
import type { ModelSettings } from './model-settings.ts'
import { fileIdentity, type ModelHost, type ModelType } from './model-type.ts'

const fields = {
  threads: z
    .optional(z.int().check(z.positive()))
    .check(z.describe('For type "gguf": number of threads; by default one less than the number of cores.')),
  context: z
    .optional(z.int().check(z.positive()))
    .check(z.describe('For type "gguf": context length in tokens; by default the training context of the model, at most 8192.')),
  gpu: z
    .optional(z.union([z.literal(false), z.enum(['auto', 'cuda', 'vulkan', 'metal'])]))
    .check(z.describe('For type "gguf": GPU backend; false, CPU only, by default.')),
  gpu_layers: z
    .optional(z.int().check(z.nonnegative()))
    .check(z.describe('For type "gguf" with a gpu: number of layers on the GPU; by default as many as fit.')),
}

/** A GGUF file, which llama.cpp runs. */
export const gguf: ModelType<typeof fields> = {
  name: 'gguf',
  fields,
  isGreedy: true,
  flag: {
    usage: 'gguf:PATH',
    read(given, { hasFormat, host }) {
      const path = host.resolve(given)
      if (!host.exists(path)) throw new PromptError('no-file', { where: '--model', problem: `there is no ${path}`, fix: 'check the path' })
      const config = {
        abbr: path
          .split(/[\\/]/)
          .at(-1)!
          .replace(/\.gguf$/, ''),
        path,
      }
      refuseOther(path, '--model')
      if (hasFormat) return config
      const complete = withOwnTemplate(config, path, host)
      // A base model carries no template, and gets plain text.
      return namesFormat(complete) ? complete : { ...config, format: 'plain' }
    },
  },
  /** A model that declares no format gets the chat template in the file, if there is one. */
  complete(config, host) {
    if (config.path === undefined) return config
    const path = host.resolve(config.path)
    const tokenizer = config.tokenizer_path === undefined ? {} : { tokenizer_path: host.resolve(config.tokenizer_path) }
    const found = { ...config, path, ...tokenizer }
    if (config.tokenizer_path === undefined && host.exists(path)) refuseOther(path, `${config.abbr ?? 'gguf'} › path`)
    return namesFormat(config) || !host.exists(path) ? found : withOwnTemplate(found, path, host)
  },
  tokenizer: ({ tokenizer_path: own, path }) => own ?? path,
  identity: (config, host) => fileIdentity(config, host),
  open: (config, { host, format }) => host.openGguf(config, format),
}

/** Every other path is a folder or JSON with a tokenizer and template. */
function refuseOther(path: string, where: string): void {
  if (path.endsWith('.gguf')) return
  throw new PromptError('bad-gguf', {
    where,
    problem: `${path} is no .gguf file`,
    fix: 'name the file itself, which ends in .gguf; of a model in several parts, the first',
  })
}

function withOwnTemplate(config: ModelSettings, path: string, host: ModelHost): ModelSettings {
  const { template, specialTokens } = host.chatTemplateIn(path)
  if (template === undefined) return config
  return { ...config, chat_template: template, special_tokens: { ...specialTokens, ...config.special_tokens } }
}
