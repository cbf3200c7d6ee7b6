import { PromptError } from '../../base/errors/prompt-error.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import type { ReplySyntax } from '../../model/reply/index.ts'
import { findSyntax } from '../../model/reply/index.ts'
import { type ChatMaker, compileChat } from '../../prompt/compile/compile-chat.ts'
import { withCompiler } from '../../prompt/format/chat-template/compiled-by.ts'
import { isolatedTemplate } from '../node/templates/isolated-template.ts'
import { ApiError } from './api-error.ts'
import { Turns } from './fair-queue.ts'
import type { WorkOptions } from './map-concurrently.ts'
import { OwnReplies } from './reply-token-cache.ts'

/** A model to be served: what runs it, and its config, which says its format and its settings. */
export type ModelToServe = { model: LanguageModel; config: ModelConfig /** What requests call it. */; name?: string }

/** A model as requests find it: by its name, in its format, with the queue before it. */
export type ServedModel = {
  name: string
  model: LanguageModel
  config: ModelConfig
  maker: ChatMaker
  /** How it writes its replies. */
  syntax: ReplySyntax
  /** A call as its format writes it. */
  example: string | undefined
  turns: Turns
  /** What it said in chats that may go on. */
  replies: OwnReplies
}

export function servedModels(models: readonly ModelToServe[]): ServedModel[] {
  // All shipped models of a process are one network, in several formats.
  const shipped = new Turns(1)
  const names = new Set<string>()
  return models.map(({ model, config: given, name = given.abbr ?? model.name }) => {
    // Requests come from strangers, and the template may, too.
    const config = withCompiler(given, isolatedTemplate)
    if (names.has(name)) {
      throw new PromptError('same-name', {
        where: 'models',
        problem: `two models are called "${name}"`,
        fix: 'give each its own abbr',
      })
    }
    names.add(name)
    const turns = modelTypeOf(config)?.isShipped ? shipped : new Turns(model.concurrency ?? 1)
    const maker = compileChat(config)
    const { syntax, example } = findSyntax(maker.format, config.reply_syntax)
    const replies = new OwnReplies(model.tokenizer, maker.format.markers)
    return { name, model, config, maker, syntax, example, turns, replies }
  })
}

/** How many replies of one request are worked on at once: as many as the model can do. */
export function workersOf({ model }: ServedModel, signal: AbortSignal): WorkOptions {
  return { workers: model.concurrency ?? 1, signal }
}

/** The model a request names; the only one there is where it names none. */
export function findModel(models: readonly ServedModel[], name: string | null | undefined): ServedModel {
  const [first] = models
  if (name === undefined || name === null) {
    if (models.length === 1) return first!
    throw new ApiError(400, { message: `name the model: ${namesOf(models)}`, param: 'model', code: 'missing' })
  }
  const found = models.find((model) => model.name === name)
  if (found) return found
  throw new ApiError(404, { message: `there is no model "${name}"; there is: ${namesOf(models)}`, param: 'model', code: 'model_not_found' })
}

function namesOf(models: readonly ServedModel[]): string {
  return models.map(({ name }) => name).join(', ')
}
