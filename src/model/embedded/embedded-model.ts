import type { Format, Prompt } from '../../format/format.ts'
import type { Note } from '../../note.ts'
import { PromptError } from '../../prompt-error.ts'
import { RunMemo } from '../../tokenize/run-memo.ts'
import { TokenDecoder } from '../../tokenize/token-decoder.ts'
import { type Tokenized, tokenize } from '../../tokenize/tokenize.ts'
import type { Tokenizer } from '../../tokenize/tokenizer.ts'
import type { GenerateOptions, LanguageModel, LikelyToken, Reply, ScoredPrompt } from '../language-model.ts'
import { greedy, likeliestTokens, logProbability, sampleToken, seededRandom } from '../sampling.ts'
import { StopFilter } from '../stop-filter.ts'
import { stopRules } from '../stop-rules.ts'
import { breathing } from './breathe.ts'
import { Reader } from './reader.ts'
import type { Transformer } from './transformer.ts'

export type EmbeddedParts = {
  name: string
  transformer: Transformer
  tokenizer: Tokenizer
  /** The format it is asked in: data must not become its markers, and it must have the tokens that the format needs. */
  format?: Pick<Format, 'markers' | 'tokens'>
}

/** A model that runs in this process, in Node and in a browser with the same numbers. */
export function embeddedModel({ name, transformer, tokenizer, format }: EmbeddedParts): LanguageModel {
  const reader = new Reader(transformer)
  const memo = new RunMemo()
  const { context } = transformer.shape
  const inTurn = oneAtATime()
  const breathe = breathing()

  function read(prompt: Prompt): Tokenized {
    if (prompt.kind === 'chat') {
      throw new PromptError('wrong-kind', {
        where: name,
        problem: 'the embedded model reads text, and the format gives messages',
        fix: 'give it a format that writes text, without api_role',
      })
    }
    const tokenized = tokenize(prompt, tokenizer, { markers: format?.markers ?? [], tokens: format?.tokens, memo })
    if (tokenized.ids.length > 0 && tokenized.ids.length <= context) return tokenized
    throw tokenized.ids.length === 0
      ? new PromptError('empty-prompt', { where: name, problem: 'the prompt is empty', fix: 'write a template that says something' })
      : new PromptError('too-long', {
          where: name,
          problem: `the prompt has ${tokenized.ids.length} tokens, and the model reads ${context}`,
          fix: `set max_seq_len: ${context} to leave out examples, or ask shorter questions`,
        })
  }

  return {
    name,
    tokenizer,
    context,
    generate: (prompt, options) => inTurn(() => generate(prompt, options)),
    score: (prompts, { topTokens, signal } = {}) =>
      inTurn(async () => {
        const scored: ScoredPrompt[] = []
        for (const prompt of prompts) {
          await breathe()
          signal?.throwIfAborted()
          const { ids, tokens, notes } = read(prompt)
          const { logProbabilities, reused, topTokens: top } = await reader.read(ids, topTokens === undefined ? {} : { topTokens })
          scored.push({ tokens, logProbabilities, reused, notes, ...(top ? { topTokens: top } : {}) })
        }
        return scored
      }),
  }

  async function generate(prompt: Prompt, options: GenerateOptions): Promise<Reply> {
    const { maxTokens, minTokens = 0, stopTexts = [], signal, onText, onToken, topTokens = 0 } = options
    const sampling = { ...greedy, ...options.sampling }
    const { ids, notes } = read(prompt)
    const stops = stopRules(prompt.stop, tokenizer, stopTexts)
    const filter = new StopFilter(stops.texts)
    const decoder = new TokenDecoder(tokenizer)
    const random = seededRandom(sampling.seed)
    const counts = new Map<number, number>()
    const reply: number[] = []
    const top: LikelyToken[][] = []
    let text = ''
    let finish: Reply['finish'] | undefined
    const release = (some: string) => {
      if (some === '') return
      text += some
      onText?.(some)
    }
    const position = await reader.read(ids)
    while (finish === undefined) {
      await breathe()
      if (signal?.aborted) finish = 'aborted'
      else if (reply.length >= maxTokens || position.ids.length >= context) finish = 'length'
      else {
        const logits = position.logits.slice()
        if (reply.length < minTokens) for (const id of stops.ids) logits[id] = Number.NEGATIVE_INFINITY
        const id = sampleToken(logits, sampling, counts, random)
        if (stops.ids.has(id)) finish = 'stop'
        else {
          reply.push(id)
          counts.set(id, (counts.get(id) ?? 0) + 1)
          if (topTokens > 0) top.push(likeliestTokens(position.logits, topTokens))
          if (onToken) onToken({ id, logProbability: logProbability(position.logits, id), ...(topTokens > 0 ? { top: top.at(-1)! } : {}) })
          await reader.extend(position, id)
          release(filter.push(decoder.push(id)))
          if (filter.stoppedBy !== undefined) finish = 'stop'
        }
      }
    }
    release(filter.push(decoder.end()))
    release(filter.end())
    reader.remember(position)
    return {
      text,
      ids: reply,
      logProbabilities: position.logProbabilities.slice(ids.length) as number[],
      ...(topTokens > 0 ? { topTokens: top } : {}),
      finish: filter.stoppedBy === undefined ? finish : 'stop',
      tokens: { prompt: ids.length, reused: position.reused, reply: reply.length },
      notes: contextNotes([...notes, ...stops.notes], position.ids.length, context),
    }
  }
}

function contextNotes(notes: readonly Note[], length: number, context: number): readonly Note[] {
  if (length < context) return notes
  return [...notes, { code: 'context-full', text: `the reply was cut where the model's context of ${context} tokens ends` }]
}

/** Requests share the network's memory, so that one waits for the other. */
function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}
