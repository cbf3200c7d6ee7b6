import { distinctNotes, type Note, type OwnNoteCode } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import type { PyValue } from '@rolecall/core/internal/python'
import { openingOf, type ReadAnswer, readAnswer } from '@rolecall/core/internal/reply'
import { replySeed, rowSeeds } from '../../model/language-model/draw-seed.ts'
import type { LanguageModel, ModelReply } from '../../model/language-model/language-model.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import { type Generation, generationOf, isSampled } from './ask/generation.ts'
import { type AnswerToJudge, hasSeveralQuestions, type Judge, judgePrompts, judgePromptText } from './judge-prompts.ts'
import { addTokens, isAny, noTokens } from './record/cost.ts'
import type { RowAnswer, RowRecord, TokenUsage } from './record/run-record.ts'
import type { AnswerCache, RunEnvironment, RunOptions } from './run-types.ts'

export type JudgeContext = {
  judge: Judge
  environment: Pick<RunEnvironment, 'hash' | 'now'>
  options: Pick<RunOptions, 'offline' | 'signal'>
  /** Distinguishes judges with different settings. */
  settings: string
  cache?: AnswerCache
  /** Whether the run may spend more, and what it has spent on a question. */
  budget?: { isOver(): boolean; add(tokens: TokenUsage): void }
  /** Keeps the cost of replies to some of an answer's questions, if the others get none: no record has it. */
  lost?(tokens: TokenUsage): void
  model(): Promise<LanguageModel>
}

/**
 * The judge's reply to each answer, and the hash of its question; `said` is undefined if it may not be queried. Notes are
 * about the question; `details` go into the record.
 */
export type JudgeVerdict = { said: PyValue | undefined; key: string; notes?: readonly Note[]; details?: Record<string, PyValue> }

/**
 * Queries the judge about an answer, about each of several, or about two in both orders; earlier replies to the same question are
 * reused.
 */
export async function askJudge(context: JudgeContext, given: AnswerToJudge, before: RowRecord | undefined): Promise<JudgeVerdict> {
  const { environment } = context
  const questions = judgePrompts(context.judge, given).map((prompt) => {
    return { prompt, asked: environment.hash(judgePromptText(prompt)).slice(0, 32) }
  })
  const key = environment.hash(questions.map(({ asked }) => asked).join() + context.settings).slice(0, 32)
  const notes = distinctNotes(questions.flatMap(({ prompt }) => prompt.notes)).map(judgeNote)
  const shown: Record<string, PyValue> = {
    ...(given.opponent === undefined ? {} : { opponent: given.opponent }),
    judge_prompt_hashes: questions.map(({ asked }) => asked),
  }
  const { judge_key: known, judge_said: said, judge_reasoning, judge_tokens } = before?.details ?? {}
  if (known === key && said !== undefined) {
    const kept = { ...(judge_reasoning === undefined ? {} : { judge_reasoning }), ...(judge_tokens === undefined ? {} : { judge_tokens }) }
    return { said, key, notes, details: { ...shown, ...kept } }
  }
  const tokens = noTokens()
  const replies: ReadAnswer[] = []
  for (const { prompt, asked } of questions) {
    const cached = context.cache?.find(asked, ({ prompt_hash }) => (prompt_hash === asked ? undefined : 'it answers another question'))
    if (cached) {
      replies.push(read(String(cached.prediction), cached.reasoning, prompt))
      continue
    }
    const started = environment.now()
    const reply = context.options.offline || context.budget?.isOver() ? undefined : await ask(prompt, asked)
    if (!reply || reply.finish === 'aborted') {
      lose()
      return { said: undefined, key, notes }
    }
    addTokens(tokens, reply.tokens)
    context.budget?.add(reply.tokens)
    replies.push(read(reply.text, reply.reasoning, prompt))
    const answer: RowAnswer = {
      prompt_hash: asked,
      prediction: reply.text,
      reasoning: reply.reasoning,
      finish: reply.finish,
      tokens: reply.tokens,
      examples: { used: 0, dropped: 0 },
      milliseconds: Math.round(environment.now() - started),
    }
    context.cache?.add(asked, answer)
  }
  const each = (of: (reply: ReadAnswer) => string) => (hasSeveralQuestions(given) ? replies.map(of) : of(replies[0]!))
  const thinks = replies.some(({ reasoning }) => reasoning !== '')
  return {
    said: each(({ text }) => text),
    key,
    notes,
    details: {
      ...shown,
      ...(thinks ? { judge_reasoning: each(({ reasoning }) => reasoning) } : {}),
      // Earlier runs have already paid for reused replies.
      ...(isAny(tokens) ? { judge_tokens: { ...tokens } } : {}),
    },
  }

  async function ask(prompt: Prompt, asked: string): Promise<ModelReply> {
    const { signal } = context.options
    try {
      const model = await context.model()
      const generation = judgeGeneration(context.judge.config, asked, model)
      return await model.generate(prompt, { ...generation, ...(signal ? { signal } : {}) })
    } catch (error) {
      lose()
      throw error
    }
  }

  function lose(): void {
    if (isAny(tokens)) context.lost?.(tokens)
  }

  /** The judge's reasoning is not part of its verdict, except in the reference. */
  function read(text: string, reasoning: PyValue | undefined, prompt: Prompt): ReadAnswer {
    const { syntax } = context.judge
    if (!syntax) return { text, reasoning: typeof reasoning === 'string' ? reasoning : '', isCut: false }
    return readAnswer({ text, ...(typeof reasoning === 'string' ? { reasoning } : {}) }, syntax, openingOf(prompt))
  }
}

/** A sampling judge gets a seed per question, and the same one for the same question. */
function judgeGeneration(config: ModelConfig, question: string, { drawsHere }: LanguageModel): Generation {
  const generation = generationOf(config, { infer_cfg: {} })
  const { sampling } = generation
  if (!isSampled(config, generation) || (sampling?.seed === undefined && !drawsHere)) return generation
  return { ...generation, sampling: { ...sampling, seed: replySeed(rowSeeds(sampling?.seed ?? 0, question)(0), 0) } }
}

function judgeNote({ code, text, ...rest }: Note): Note {
  // A judge's prompt has no judge.
  return { code: `${judgeNotePrefix}${code as OwnNoteCode}`, text: `the judge's prompt: ${text}`, ...rest }
}

/** The prefix of note codes about judges' prompts. */
export const judgeNotePrefix = 'judge-'
