import { type ChatMaker, compileChat } from '@rolecall/core/internal/compile'
import { PromptError } from '@rolecall/core/internal/errors'
import { withCompiler } from '@rolecall/core/internal/format'
import type { ReplySyntax } from '@rolecall/core/internal/reply'
import { findSyntax } from '@rolecall/core/internal/reply'
import type { ModelConfig } from '../evaluation/config/config-schema.ts'
import type { Guides } from '../model/language-model/constrained.ts'
import type { LanguageModel } from '../model/language-model/language-model.ts'
import { modelTypeOf } from '../model/model-types/index.ts'
import { replySyntaxOf } from '../model/model-types/reply-syntax-of.ts'
import type { ConstraintThreads } from '../node/constraints/threaded-guides.ts'
import { FairQueue } from '../node/fair-queue.ts'
import { isolatedTemplate } from '../node/templates/isolated-template.ts'
import { ApiError } from './api-error.ts'
import { LengthEstimate } from './length-estimate.ts'
import { ReplyTokenCache } from './reply-token-cache.ts'
import { Sessions } from './sessions/sessions.ts'

/** A model to serve, and its config with format and settings. `name`: the name in requests. */
export type ModelToServe = { model: LanguageModel; config: ModelConfig; name?: string }

/** A served model with its format and its queue. */
export type ServedModel = {
  name: string
  model: LanguageModel
  config: ModelConfig
  maker: ChatMaker
  syntax: ReplySyntax
  /** A tool call in its format. */
  example: string | undefined
  queue: FairQueue
  /** Compiles and follows constraints for a client, outside this thread. */
  guides: (client: string) => Guides
  replyTokens: ReplyTokenCache
  /** Of prompts that cannot be encoded here. */
  lengths: LengthEstimate
  /** The conversations with this model. */
  sessions: Sessions
  /** Found when a prompt was rewritten for the first time. */
  rewritingLines?: Promise<readonly string[]>
}

/** A served model as far as its prompts depend on it. */
export type PromptModel = Pick<ServedModel, 'name' | 'config' | 'maker' | 'syntax' | 'example'> & {
  model: Pick<LanguageModel, 'name' | 'tokenizer' | 'context'> & { forward?: unknown }
}

export function servedModels(models: readonly ModelToServe[], threads: ConstraintThreads): ServedModel[] {
  // All shipped models of a process share one network.
  const shippedQueue = new FairQueue(1)
  const names = new Set<string>()
  return models.map((served) => {
    const { model, config: given } = served
    const name = nameOf(served)
    // Neither requests nor chat templates are trusted.
    const config = withServedRoles(withCompiler(given, isolatedTemplate))
    if (names.has(name)) {
      throw new PromptError('same-name', {
        where: 'models',
        problem: `two models are named "${name}"`,
        fix: 'give each model a unique abbr',
      })
    }
    names.add(name)
    const queue = modelTypeOf(config)?.isShipped ? shippedQueue : new FairQueue(() => model.concurrency ?? 1)
    const maker = compileChat(config)
    const { syntax, example } = findSyntax(maker.format, replySyntaxOf(config))
    const guides = threads.guidesFor(model.drawsHere ? model.tokenizer : undefined)
    const replyTokens = new ReplyTokenCache(model.tokenizer, maker.format.markers)
    return {
      name,
      model,
      config,
      maker,
      syntax,
      example,
      queue,
      guides,
      replyTokens,
      lengths: new LengthEstimate(),
      sessions: new Sessions(),
    }
  })
}

/** Agents send what most chat templates do not write, so a served template gets the ladder unless the config says otherwise. */
export function withServedRoles<Config extends ModelConfig>(config: Config): Config {
  const isPlain =
    config.chat_template === undefined ||
    config.parts !== undefined ||
    config.normalize_messages === false ||
    config.system_policy === 'drop'
  return isPlain || config.roles !== undefined ? config : { ...config, roles: 'auto' }
}

/** The name of a model in requests. */
export function nameOf({ model, config, name }: ModelToServe): string {
  return name ?? config.abbr ?? model.name
}

/** The requested model; optional if only one is served. */
export function findModel<Model extends { name: string }>(models: readonly Model[], name: string | null | undefined): Model {
  const [first] = models
  if (name === undefined || name === null) {
    if (models.length === 1) return first!
    throw new ApiError(400, { message: `model: missing; available: ${namesOf(models)}`, param: 'model', code: 'missing' })
  }
  const found = models.find((model) => model.name === name)
  if (found) return found
  throw new ApiError(404, { message: `unknown model "${name}"; available: ${namesOf(models)}`, param: 'model', code: 'model_not_found' })
}

function namesOf(models: readonly { name: string }[]): string {
  return models.map(({ name }) => name).join(', ')
}
