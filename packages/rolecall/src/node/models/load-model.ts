import { check, PromptError } from '@rolecall/core/internal/errors'
import { defineModel, type Model } from '@rolecall/core/internal/model'
import * as z from '@rolecall/core/internal/schema'
import { camelCase } from '@rolecall/core/internal/text'
import type { LoadModelOptions } from '../../model/language-model/load-model-options.ts'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import { readFormat, settingsOf } from '../formats/read-format.ts'
import { localModelPath } from '../hub/local-paths.ts'
import { tokenizerAt } from './load-tokenizer.ts'

const loadOptionsSchema = z.strictObject({
  variables: z.optional(z.record(z.string(), z.unknown())),
  replySyntax: z.optional(z.union([z.string(), z.looseObject({})])),
  folder: z.optional(z.string()),
} satisfies { readonly [Key in keyof Required<LoadModelOptions>]: z.FieldSchemas[string] })

/**
 * A model by its place: a name on a hub (`Qwen/Qwen3-8B`, whose template and tokenizer are downloaded once), a model folder, a GGUF file, a
 * chat template or any other file with a format, with the tokenizer beside it. The notes of its prompts say what was assumed.
 */
export async function loadModel(place: string, options: LoadModelOptions = {}): Promise<Model> {
  check(loadOptionsSchema, options, 'loadModel › options › ')
  if (typeof place !== 'string')
    throw new PromptError('wrong-type', {
      where: 'loadModel',
      problem: 'the place of the model is not text',
      fix: 'give a name on a hub, a model folder or a file; defineModel takes data',
    })
  const { folder, variables, replySyntax } = options
  const path = await localModelPath(place, { folder })
  const read = readFormat(path, { where: 'loadModel', folder })
  const { model } = settingsOf(read)
  const { response_template: response, ...settings } = model
  const given = Object.fromEntries(Object.entries(settings).map(([key, value]) => [camelCase(key), value]))
  const tokenizer = read.kind === 'templates' && read.tokenizer !== undefined ? tokenizerAt(read.tokenizer) : undefined
  return defineModel({
    ...given,
    name: place,
    tokenizer,
    replySyntax: replySyntaxOf({ reply_syntax: replySyntax, response_template: response }),
    variables,
  })
}
