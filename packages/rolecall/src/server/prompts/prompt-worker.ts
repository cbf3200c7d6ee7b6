import { parentPort, workerData } from 'node:worker_threads'
import { compileChat } from '@rolecall/core/internal/compile'
import { PromptError } from '@rolecall/core/internal/errors'
import { findSyntax } from '@rolecall/core/internal/reply'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import type { ThreadPost, ThreadQuestion } from '../../node/killable-thread.ts'
import { tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { fromMessage } from '../../node/templates/thread-messages.ts'
import { ApiError } from '../api-error.ts'
import { type ExactChat, renderForChat } from '../chat/chat-prompt.ts'
import { promptRoutes } from '../prompt-routes.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { rewritingLines } from '../sessions/rewriting-lines.ts'
import { unpackPrompt } from './packed-prompt.ts'
import { probeRoles } from './probe-roles.ts'
import type { PromptAnswer, PromptModelSource, PromptThreadQuestion } from './prompt-messages.ts'

// The thread that builds prompts; `PromptThread` terminates it when it takes too long.

const models: readonly PromptModel[] = (workerData as { models: readonly PromptModelSource[] }).models.map(openedWhenNeeded)

const post = (message: ThreadPost<PromptAnswer>) => parentPort!.postMessage(message)

parentPort!.on('message', ({ id, question }: ThreadQuestion<PromptThreadQuestion>) => {
  void answer(question)
    .catch(failure)
    .then((given) => post({ id, answer: given }))
})
post('ready')

async function answer(question: PromptThreadQuestion): Promise<PromptAnswer> {
  switch (question.kind) {
    case 'open': {
      const { maker, model, syntax } = findModel(models, question.model)
      // What the template writes is probed here, not at its first request.
      void [syntax, model.tokenizer]
      probeRoles(maker)
      return { kind: 'opened' }
    }
    case 'render': {
      const chat = fromMessage(question.chat) as ExactChat
      return { kind: 'rendered', rendered: renderForChat(findModel(models, question.model), question.settings, chat) }
    }
    case 'encode': {
      const { model, maker } = findModel(models, question.model)
      const { markers, tokens: needed } = maker.format
      const { ids, tokens } = tokenize(unpackPrompt(question.prompt), model.tokenizer!, { markers, tokens: needed })
      const first = tokens.findIndex(({ pieces }) => (pieces?.[1] ?? -1) >= question.from)
      const spans = Int32Array.from(tokens.flatMap(({ span }) => span))
      return { kind: 'encoded', encoded: { ids: Int32Array.from(ids), spans, first: first < 0 ? ids.length : first } }
    }
    case 'rewriting-lines': {
      const { config } = findModel(models, question.model)
      return { kind: 'rewriting-lines', lines: await rewritingLines(config.chat_template ?? '') }
    }
    case 'route': {
      const response = promptRoutes[question.path]!({ models }, question.body)
      return { kind: 'response', status: response.status, body: await response.text() }
    }
    default:
      return question satisfies never
  }
}

/** Formats and tokenizers take time and memory. */
function openedWhenNeeded({ name, config, folder, context, forwards }: PromptModelSource): PromptModel {
  let maker: PromptModel['maker'] | undefined
  let replies: ReturnType<typeof findSyntax> | undefined
  return {
    name,
    config,
    get maker() {
      maker ??= compileChat(config)
      return maker
    },
    get syntax() {
      replies ??= findSyntax(this.maker.format, replySyntaxOf(config))
      return replies.syntax
    },
    get example() {
      replies ??= findSyntax(this.maker.format, replySyntaxOf(config))
      return replies.example
    },
    model: {
      name,
      get tokenizer() {
        return tokenizerOf(config, folder)
      },
      ...(context === undefined ? {} : { context }),
      ...(forwards ? { forward: true } : {}),
    },
  }
}

function failure(error: unknown): PromptAnswer {
  if (error instanceof ApiError) {
    const { status, message, param, code } = error
    return { kind: 'api-error', status, message, param, code }
  }
  if (error instanceof PromptError) {
    const { code, where, problem, fix } = error
    return { kind: 'prompt-error', code, where, problem, fix }
  }
  return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
