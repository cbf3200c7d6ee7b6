import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { decodeTokens } from '@rolecall/core/internal/tokenizer'
import type { TaskTokenizer } from '../../compat/lm-eval/python/provided.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { tokenizerNamed } from '../../model/model-types/index.ts'
import { shippedTokenizer as shipped } from '../../model/model-types/model-type.ts'
import { localModelPath } from '../hub/local-paths.ts'
import { shippedTokenizer, tokenizerAt } from '../models/load-tokenizer.ts'

/** The name that functions of tasks get for the tokenizer of the embedded model. */
const embedded = 'embedded'

const nothingIsProtected = () => false

/** The tokenizer that all models of a run have, as tasks name it; undefined if they have none, or different ones. */
export function tokenizerOfModels(models: readonly ModelConfig[], folder: string): string | undefined {
  const names = new Set(
    models.map((model) => {
      const named = tokenizerNamed(model)
      if (named === undefined) return undefined
      if (named === shipped) return embedded
      const path = resolve(folder, named)
      return existsSync(path) ? path : named
    }),
  )
  return names.size === 1 ? [...names][0] : undefined
}

/** Opens the tokenizer that a function of a task names: a folder or file, or a model on a hub. */
export async function taskTokenizer(name: string): Promise<TaskTokenizer> {
  const tokenizer = name === embedded ? shippedTokenizer() : await openTokenizer(name)
  return {
    encode(text, { special }) {
      const { ids } = tokenizer.encodeRun(text, true, nothingIsProtected)
      return special ? [...tokenizer.before, ...ids, ...tokenizer.after] : ids
    },
    decode: (ids) => decodeTokens(ids, tokenizer),
  }
}

async function openTokenizer(name: string): Promise<Tokenizer> {
  try {
    const path = await localModelPath(name)
    return tokenizerAt(resolve(path))
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    throw new PromptError('no-tokenizer', {
      where: `tokenizer ${name}`,
      problem: `the rows of the task are made with this tokenizer, which cannot be read: ${error.problem}`,
      fix: "give the model's folder or its tokenizer.json: --model_args tokenizer=PATH",
    })
  }
}
