import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { asCompletion } from '../language-model/cannot-score.ts'
import type { ScoredPrompt, ScoreOptions } from '../language-model/language-model.ts'
import { joinWindows, scoreWindows, windowNote } from '../language-model/score-windows.ts'
import { Refused, type Server } from './http/model-server.ts'
import type { OpenAISettings } from './openai-settings.ts'
import { probeScoring } from './probe-scoring.ts'
import { refusePages } from './refuse-pages.ts'
import { fieldsJson, requestJson, saidInCompletion } from './request-body.ts'
import { CannotScore, emptyScore, isEmptyAnswer, readScored, type ScoreMethod, type SentPrompt, scoreFields } from './score-prompt.ts'
import { isSentAsIds, lastTokens, type SentIds, slice } from './within-context.ts'

type CompletionPrompt = Prompt & { kind: 'completion' }

type Scorer = (prompts: readonly Prompt[], options?: ScoreOptions) => Promise<ScoredPrompt[]>

type ScorerParts = {
  settings: Pick<OpenAISettings, 'name' | 'model' | 'extraBody' | 'truncateTo' | 'scoreBy'>
  server: Server
  toSend: (prompt: CompletionPrompt) => SentPrompt
}

/** Scores prompts on a server, in the first way that it supports. */
export function serverScorer({ settings, server, toSend }: ScorerParts): Scorer {
  const { name: where, model, extraBody, truncateTo } = settings
  let method: Promise<ScoreMethod> | undefined

  async function send(sending: SentPrompt, by: ScoreMethod, signal?: AbortSignal): Promise<ScoredPrompt> {
    if ('ids' in sending.sent ? sending.sent.ids.length === 0 : sending.sent.text === '') {
      throw new PromptError('empty-prompt', { where, problem: 'the prompt is empty', fix: 'write a template that is not empty' })
    }
    const body = requestJson(saidInCompletion(sending.sent), fieldsJson(scoreFields(model, by), extraBody))
    return server.send({ path: '/completions', body, signal, tokens: body.length }, async (reply) => {
      refusePages(reply, server)
      return readScored(await reply.text(), by, sending)
    })
  }

  async function scoreOne(
    prompt: CompletionPrompt,
    by: ScoreMethod,
    { needs, signal }: Pick<ScoreOptions, 'needs' | 'signal'> = {},
    index = 0,
  ): Promise<ScoredPrompt> {
    if (isEmptyAnswer(prompt)) return emptyScore
    const sending = toSend(prompt)
    if (truncateTo === undefined || !isSentAsIds(sending) || sending.sent.ids.length <= truncateTo) return send(sending, by, signal)
    const firstNeeded = needs ? sending.tokens.findIndex((token) => needs(token, index)) : 0
    return scoreLong(sending, truncateTo, firstNeeded, (part) => send(part, by, signal))
  }

  return async (prompts, options = {}) => {
    const asked = prompts.map((prompt) => asCompletion(prompt, where))
    method ??= probeScoring({
      score: (prompt, by) => send(toSend(prompt), by),
      explain: (error) => server.explain(error),
      server: server.name,
      only: settings.scoreBy,
    })
    // A probe that failed because the server was down may succeed later.
    method.catch(() => (method = undefined))
    const by = await method
    return Promise.all(
      asked.map((prompt, index) =>
        scoreOne(prompt, by, options, index).catch(async (error: unknown) => {
          if (error instanceof Refused) throw await server.explain(error)
          if (!(error instanceof CannotScore)) throw error
          throw new PromptError('not-scored', {
            where,
            problem: `${server.name.shown} scored something other than the prompt: ${error.message}`,
            fix: "set tokenizer_path to the model's own tokenizer, so that prompts are sent as ids",
          })
        }),
      ),
    )
  }
}

/** Scores a text that is longer than the context, from its first token that is needed: its end, or in windows. */
async function scoreLong(
  prompt: SentIds,
  context: number,
  firstNeeded: number,
  score: (part: SentIds) => Promise<ScoredPrompt>,
): Promise<ScoredPrompt> {
  const { tokens, notes } = prompt
  const windows = scoreWindows(tokens.length, firstNeeded < 0 ? tokens.length : firstNeeded, context)
  if (windows.length === 1) return score(lastTokens(prompt, 0, context))
  const scores = await Promise.all(windows.map(({ start, end }) => score(slice(prompt, start, end))))
  return { tokens, ...joinWindows(tokens.length, windows, scores), notes: [...notes, windowNote(context)] }
}
