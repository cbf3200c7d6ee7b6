import { existsSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { LoaderTokenizer } from '../../compat/opencompass/loaders/files.ts'
import { loaderTokenizer } from '../../compat/opencompass/loaders/loader-tokenizer.ts'
import { loadTokenizer } from '../models/load-tokenizer.ts'
import { localModelPath } from './local-paths.ts'

/** Repositories with the vocabularies that tiktoken has under these names. */
const tiktoken: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-4o|gpt-4\.1|gpt-5|o[134])/, 'Xenova/gpt-4o'],
  [/^gpt-(?:4|3\.5)/, 'Xenova/gpt-4'],
]

/** The tokenizer that a config names: a folder or file, a repository, or a model of OpenAI. Undefined if it is not here and downloads are forbidden. */
export async function namedTokenizer(model: string, options: { folder?: string } = {}): Promise<LoaderTokenizer | undefined> {
  const name = tiktoken.find(([models]) => models.test(model))?.[1] ?? model
  try {
    const path = await localModelPath(name, options)
    return existsSync(path) ? loaderTokenizer(loadTokenizer(path)) : undefined
  } catch (error) {
    if (error instanceof PromptError && error.code === 'hub-offline') return undefined
    throw error
  }
}
