// What `rolecall/files` is for browsers and workers, which have no files.
import { PromptError } from '@rolecall/core/internal/errors'

function needsNode(name: string): never {
  throw new PromptError('needs-node', {
    where: name,
    problem: 'there are no files here',
    fix: 'fetch the model’s tokenizer_config.json and tokenizer.json, and use defineModel and readTokenizer',
  })
}

/** Models from files need Node. */
export const loadModel = async (_place?: string, _options?: unknown): Promise<never> => needsNode('loadModel')

/** Tokenizers from files need Node. */
export const loadTokenizer = (): never => needsNode('loadTokenizer')

/** Models in files need Node. */
export const openLocalModel = async (_place?: string, _options?: unknown): Promise<never> => needsNode('openLocalModel')

/** Runs are recorded in files, which need Node. */
export const runTask = async (_task?: unknown, _options?: unknown): Promise<never> => needsNode('runTask')
