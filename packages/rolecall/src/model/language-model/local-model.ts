import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { RunMemo, TokenDecoder, type Tokenized, tokenize } from '@rolecall/core/internal/tokenizer'
import { guidesFor, unusedStops } from './constrained.ts'
import type { GenerateOptions, LanguageModel, LikelyToken, ModelReply, ScoredPrompt, ScoreOptions } from './language-model.ts'
import { promptTooLong } from './prompt-too-long.ts'
import { refuseMedia } from './refuse-media.ts'
import { ReplyGuide } from './reply-guide.ts'
import { greedy, seededRandom } from './sampling.ts'
import { joinWindows, scoreWindows, windowNote } from './score-windows.ts'
import { StopFilter } from './stop-filter.ts'
import { stopRules } from './stop-rules.ts'
import type { TextReader } from './text-reader.ts'
import { refuseSettingsNotHere } from './unsupported-setting.ts'

export type LocalParts = {
  name: string
  /** A description for errors: "the embedded model". */
  kind: string
  reader: TextReader
  tokenizer: Tokenizer
  /** The format of its prompts: data must not become its markers, and the vocabulary must have the tokens that the format needs. */
  format?: Pick<Format, 'markers' | 'tokens'>
  /** Notes for every reply. */
  notes?: readonly Note[]
}

const nothing: ReadonlySet<number> = new Set()

/** A model that runs in this process: it encodes prompts and decodes replies. */
export function localModel({ name, kind, reader, tokenizer, format, notes: always = [] }: LocalParts): LanguageModel {
  const memo = new RunMemo()
  const { context } = reader
  const inTurn = oneAtATime()
  const guidesHere = guidesFor(tokenizer)

  /** `inParts`: a text that is scored whole, without a context, may be longer than the model's. */
  function read(prompt: Prompt, inParts = false): Tokenized {
    if (prompt.kind === 'chat') {
      throw new PromptError('wrong-kind', {
        where: name,
        problem: `${kind} reads text, but the format produces messages`,
        fix: 'use a format that produces text, without api_role',
      })
    }
    refuseMedia(prompt.pieces, kind)
    const tokenized = tokenize(prompt, tokenizer, { markers: format?.markers ?? [], tokens: format?.tokens, memo })
    if (tokenized.ids.length > 0 && (tokenized.ids.length <= context || (inParts && prompt.needsPrefix))) return tokenized
    throw tokenized.ids.length === 0
      ? new PromptError('empty-prompt', { where: name, problem: 'the prompt is empty', fix: 'write a template that is not empty' })
      : promptTooLong(name, tokenized.ids.length, context)
  }

  return {
    name,
    tokenizer,
    context,
    drawsHere: true,
    encodesHere: true,
    generate: (prompt, options) => inTurn(() => generate(prompt, options)),
    score: (prompts, options) => inTurn(() => score(prompts, options)),
    checkConstraint: guidesHere.check,
    ...(reader.close ? { close: () => inTurn(() => reader.close!()) } : {}),
  }

  async function score(prompts: readonly Prompt[], { needs, topTokens = 0, signal }: ScoreOptions = {}): Promise<ScoredPrompt[]> {
    const texts = prompts.map((prompt) => read(prompt, true))
    const windows = texts.map(({ ids }) => scoreWindows(ids.length, 0, context))
    const parts = windows.flatMap((own, text) => own.map((window) => ({ ...window, text })))
    const scored = await reader.score(
      parts.map(({ text, start, end }) => texts[text]!.ids.slice(start, end)),
      {
        needed: (index, part) => {
          const { text, start, counted } = parts[part]!
          return start + index >= counted && (needs?.(texts[text]!.tokens[start + index]!, text) ?? true)
        },
        topTokens,
        signal,
      },
    )
    let next = 0
    return texts.map(({ tokens, notes }, text) => {
      const own = windows[text]!
      const scores = scored.slice(next, next + own.length)
      next += own.length
      if (own.length === 1) return { tokens, ...scores[0]!, notes: [...notes, ...always] }
      return { tokens, ...joinWindows(tokens.length, own, scores), notes: [...notes, windowNote(context), ...always] }
    })
  }

  async function generate(prompt: Prompt, options: GenerateOptions): Promise<ModelReply> {
    const {
      maxTokens,
      minTokens = 0,
      stopTexts = [],
      constraint,
      later,
      signal,
      onText,
      onToken,
      topTokens = 0,
      guides = guidesHere,
    } = options
    const sampling = { ...greedy, ...options.sampling }
    refuseSettingsNotHere(sampling, name)
    const { ids, notes } = read(prompt)
    const stops = stopRules(prompt.stop, tokenizer, stopTexts)
    const guide = new ReplyGuide({ constraint, later }, { guides, tokenizer, where: name, signal })
    const filter = new StopFilter(constraint ? [] : stops.texts)
    const decoder = new TokenDecoder(tokenizer)
    const random = seededRandom(sampling.seed)
    const counts = new Map<number, number>()
    const reply: number[] = []
    const logProbabilities: number[] = []
    const top: (readonly LikelyToken[])[] = []
    let text = ''
    let finish: ModelReply['finish'] | undefined
    let stopToken: LikelyToken | undefined
    const release = (some: string) => {
      if (some === '') return
      text += some
      onText?.(some)
    }
    const writing = await reader.write(ids)
    while (finish === undefined) {
      const { mask, isOver, isOpen, isLast = false } = await guide.next(stops.ids)
      if (signal?.aborted) finish = 'aborted'
      else if (isOver) finish = 'stop'
      else if (reply.length >= maxTokens || ids.length + reply.length >= context) finish = 'length'
      else {
        const banned = isOpen || (reply.length < minTokens && !isLast) ? stops.ids : nothing
        const chosen = await writing.choose({ sampling, counts, random, banned, mask, topTokens })
        const { id } = chosen
        if (stops.ids.has(id)) {
          finish = 'stop'
          stopToken = { id, logProbability: chosen.logProbability }
        } else {
          reply.push(id)
          logProbabilities.push(chosen.logProbability)
          if (topTokens > 0) top.push(chosen.top ?? [])
          onToken?.(chosen)
          counts.set(id, (counts.get(id) ?? 0) + 1)
          const some = decoder.push(id)
          await guide.push(id, some)
          await writing.append(id)
          release(filter.push(some))
          if (filter.stoppedBy !== undefined) finish = 'stop'
        }
      }
    }
    release(filter.push(decoder.end()))
    release(filter.end())
    return {
      text,
      ids: reply,
      logProbabilities,
      ...(topTokens > 0 ? { topTokens: top } : {}),
      finish: filter.stoppedBy === undefined ? finish : 'stop',
      ...(finish === 'stop' ? { stoppedBy: filter.stoppedBy ?? (stopToken && tokenizer.tokenOf(stopToken.id)), stopToken } : {}),
      tokens: { prompt: ids.length, reused: writing.reused, reply: reply.length },
      notes: contextNotes(
        [...notes, ...stops.notes, ...(constraint ? unusedStops(stopTexts) : []), ...guide.notes, ...always],
        ids.length + reply.length,
        context,
      ),
    }
  }
}

function contextNotes(notes: readonly Note[], length: number, context: number): readonly Note[] {
  if (length < context) return notes
  return [...notes, { code: 'context-full', text: `the reply was cut where the model's context of ${context} tokens ends` }]
}

/** Requests share the network's memory, so they run one at a time. */
function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}
