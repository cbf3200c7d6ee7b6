import { compileChat } from '@rolecall/core/internal/compile'
import { PromptError } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { contextOf } from '../../node/models/context-of.ts'
import { tokenizerOf } from '../../node/models/load-tokenizer.ts'
import type { OpenModel } from '../../node/models/model-flags.ts'
import { ApiError } from '../api-error.ts'

/** A model without its engine: prompts are rendered and token ids are read, but nothing is generated. */
export function openRenderer(config: ModelConfig, folder: string): OpenModel {
  const name = config.abbr ?? config.path ?? 'model'
  const tokenizer = tokenizerOf(config, folder)
  if (tokenizer === undefined)
    throw new PromptError('no-tokenizer', {
      where: name,
      problem: 'a server that only renders needs the tokenizer of its model',
      fix: 'give --tokenizer FOLDER, or with --chat-template a model folder or a name on a hub',
    })
  const maker = compileChat(config)
  return {
    config,
    maker,
    model: {
      name,
      tokenizer,
      encodesHere: true,
      context: contextOf(config, folder) ?? config.context,
      generate: () =>
        Promise.reject(
          new ApiError(501, {
            message: `${name}: this server renders prompts and reads token ids, but has no engine (serve --render-only)`,
            code: 'render_only',
          }),
        ),
    },
  }
}
