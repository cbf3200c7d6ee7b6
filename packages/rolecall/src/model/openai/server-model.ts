import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { RunMemo, tokenize } from '@rolecall/core/internal/tokenizer'
import type { GenerateOptions, LanguageModel, ModelReply } from '../language-model/language-model.ts'
import { refuseMedia } from '../language-model/refuse-media.ts'
import { Release, ReplyCollector } from './collect-reply.ts'
import { constraintNotes } from './constraint-fields.ts'
import type { HttpClient, HttpReply } from './http/http-client.ts'
import { Refused, Server } from './http/model-server.ts'
import type { SharedPace } from './http/pace.ts'
import type { Wait } from './http/wait.ts'
import { type Clock, systemClock } from './http/wait.ts'
import { inlineMedia, type ReadMedia } from './inline-media.ts'
import type { OpenAISettings } from './openai-settings.ts'
import { readStream } from './read-stream.ts'
import { refusePages } from './refuse-pages.ts'
import { fieldsJson, requestJson, saidInCompletion, textToSend } from './request-body.ts'
import type { SentPrompt } from './score-prompt.ts'
import { SecretFilter } from './secret-filter.ts'
import { habitNotes, ignoredNotesOf, lessonIn, type ServerHabits } from './server-habits.ts'
import { parsed } from './server-reply-part.ts'
import { serverScorer } from './server-scorer.ts'
import { type StopsToSend, stopsToSend } from './stops-to-send.ts'
import type { WireApi } from './wire-api.ts'
import { isSentAsIds, lastTokens } from './within-context.ts'

export type ServerModelParts = {
  api: WireApi
  settings: OpenAISettings
  client: HttpClient
  /** The model's tokenizer, so that prompts are sent as ids. */
  tokenizer?: Tokenizer | undefined
  /** The format of the prompts: its markers are protected, and the vocabulary must have the tokens that it needs. */
  format?: Pick<Format, 'markers' | 'tokens'>
  clock?: Clock
  /** Random numbers in [0, 1), for back-off. */
  random?: () => number
  /** Called when a request has to wait. */
  onWait?: (wait: Wait) => void
  /** Shares the rate limit of an endpoint with other processes. */
  sharedPace?: ((endpoint: string) => SharedPace) | undefined
  /** Reads files of a dataset's rows as data URIs; without it, their URLs are sent. */
  readMedia?: ReadMedia | undefined
  close?: () => Promise<void>
}

type CompletionPrompt = Prompt & { kind: 'completion' }

/** A model on a server, whatever its API. */
export function serverModel(parts: ServerModelParts): LanguageModel {
  const {
    api,
    settings,
    client,
    tokenizer,
    format,
    clock = systemClock,
    random = Math.random,
    onWait,
    sharedPace,
    readMedia,
    close,
  } = parts
  const { name: where, model, extraBody } = settings
  if (settings.send === 'ids' && !tokenizer) {
    throw new PromptError('missing', {
      where: `${where} › send`,
      problem: 'prompts are to be sent as token ids, but there is no tokenizer',
      fix: "set tokenizer_path to the model's tokenizer.json, or send: 'text'",
    })
  }
  const asIds = api.takesText && tokenizer !== undefined && settings.send !== 'text'
  const cannotTruncate = (fix: string) =>
    new PromptError('missing', {
      where: `${where} › truncate_to`,
      problem: 'only prompts that are sent as token ids can be truncated',
      fix: `${fix}, or leave truncate_to out`,
    })
  if (settings.truncateTo !== undefined && !asIds)
    throw cannotTruncate("set tokenizer_path to the model's tokenizer.json, without send: 'text'")
  const shown = settings.baseUrl
  const server = new Server({
    ...settings,
    client,
    headers: {
      'content-type': 'application/json',
      ...api.headers(settings.key),
      ...settings.headers,
    },
    name: { where, shown, model, keyName: settings.keyName, hasKey: settings.key !== undefined, secrets: settings.secrets },
    clock,
    random,
    onWait,
    shared: sharedPace?.(`${settings.baseUrl} ${model}`),
  })
  const memo = new RunMemo()
  const ignoredNotes = ignoredNotesOf(settings.baseUrl)
  const stopOptions = { tokenizer, sendIds: settings.sendStopIds, mostTexts: api.mostStops(settings.baseUrl), takes: api.takesStop }
  const stopsOf = rememberLast((prompt: Prompt, more: readonly string[]) =>
    stopsToSend(settings.sendFormatStops ? prompt.stop : [], more, stopOptions),
  )
  /** What this server has said about optional fields. */
  let habits = api.habits
  const settingsJson = rememberSettings((options, stops, stream, used) => {
    const fields = api.fields({ options, stops, stream, habits: used, settings })
    return fieldsJson(fields, { ...extraBody, ...settings.generationBody }, api.mergedKeys)
  })

  function toSend(prompt: CompletionPrompt): SentPrompt {
    if (tokenizer && asIds) {
      refuseMedia(prompt.pieces, 'a prompt of token ids')
      const { ids, tokens, notes } = tokenize(prompt, tokenizer, { markers: format?.markers ?? [], tokens: format?.tokens, memo })
      return { prompt, sent: { ids }, tokens, notes }
    }
    return { prompt, sent: { text: textToSend(prompt, where) }, notes: bosNotes(prompt, extraBody) }
  }

  /** The end of a prompt that does not fit with its reply. */
  function withinContext(prompt: SentPrompt, maxTokens: number): SentPrompt {
    const context = settings.truncateTo
    return context !== undefined && isSentAsIds(prompt) ? lastTokens(prompt, maxTokens, context) : prompt
  }

  function endpointFor(prompt: Prompt): 'chat' | 'completions' {
    const natural = prompt.kind === 'chat' ? 'chat' : 'completions'
    if (natural === 'completions' && !api.takesText) throw takesMessages(where, api)
    if (natural === 'chat' && settings.truncateTo !== undefined) throw cannotTruncate('use a format that produces text')
    if (settings.endpoint === undefined || settings.endpoint === natural) return natural
    throw new PromptError('wrong-kind', {
      where: `${where} › endpoint`,
      problem:
        natural === 'chat'
          ? 'the completions endpoint takes text, but the format produces messages'
          : 'the chat endpoint takes messages, but the format produces text',
      fix:
        natural === 'chat' ? "use a format that produces text, or endpoint: 'chat'" : "use format: 'messages', or endpoint: 'completions'",
    })
  }

  async function generate(prompt: Prompt, options: GenerateOptions): Promise<ModelReply> {
    const isChat = endpointFor(prompt) === 'chat'
    const sending = prompt.kind === 'completion' ? withinContext(toSend(prompt), options.maxTokens) : undefined
    const files = prompt.kind === 'chat' && readMedia ? inlineMedia(prompt, readMedia) : undefined
    const chat = prompt.kind === 'chat' ? api.chat(files?.prompt ?? prompt, settings, files ? undefined : options.body) : undefined
    const said = chat ? chat.said : saidInCompletion(sending!.sent)
    const stops = stopsOf(prompt, options.stopTexts ?? none)
    const stream = settings.stream || options.onText !== undefined
    const release = new Release(options.onText, where)
    const promptTokens = sending && 'ids' in sending.sent ? sending.sent.ids.length : 0
    const notes = [
      ...(sending?.notes ?? []),
      ...(chat?.notes ?? []),
      ...stops.notes,
      ...ignoredNotes(options.sampling),
      ...api.ignored(options, settings),
    ]
    const { signal } = options
    const read = (reply: HttpReply) => readReply(reply, stops, release)
    for (;;) {
      const used = habits
      const sent = requestJson(said, settingsJson(options, stops, stream, used))
      try {
        const collector = await server.send(
          {
            path: api.path(isChat ? 'chat' : 'completions', model, stream),
            body: files ? () => files.body(sent) : sent,
            signal,
            tokens: options.maxTokens * (1 + (options.topTokens ?? 0)),
          },
          read,
        )
        const reply = collector.reply(promptTokens, stops.ids, [...notes, ...habitNotes(used, model, api)])
        const broken = options.constraint ? await constraintNotes(options, reply) : []
        return broken.length === 0 ? reply : { ...reply, notes: [...reply.notes, ...broken] }
      } catch (error) {
        const lesson = error instanceof Refused ? lessonIn(error.message, used, api) : undefined
        if (lesson) {
          habits = { ...habits, ...lesson }
          continue
        }
        if (signal?.aborted) return { text: release.given, finish: 'aborted', tokens: { prompt: promptTokens, reused: 0, reply: 0 }, notes }
        throw error instanceof Refused ? await server.explain(error) : error
      }
    }
  }

  async function readReply(reply: HttpReply, stops: StopsToSend, release: Release): Promise<ReplyCollector> {
    const kind = reply.header('content-type') ?? ''
    refusePages(reply, server)
    const collector = new ReplyCollector(stops.texts, settings.keys)
    const reader = api.reader()
    release.startAgain()
    if (kind.startsWith('text/event-stream')) {
      for await (const part of readStream(reply.chunks(), reader)) {
        release.push(collector.add(part))
        if (collector.isStopped) {
          reply.discard()
          break
        }
      }
    } else release.push(collector.add(reader.whole(await reply.text())))
    release.push(collector.end())
    return collector
  }

  async function forward(path: string, fields: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<string> {
    const body = JSON.stringify({ ...fields, model })
    try {
      return await server.send({ path, body, signal, tokens: body.length }, async (reply) => {
        refusePages(reply, server)
        const text = await reply.text()
        parsed(text)
        return new SecretFilter(settings.keys).clean(text)
      })
    } catch (error) {
      throw error instanceof Refused ? await server.explain(error) : error
    }
  }

  return {
    name: where,
    tokenizer,
    ...(asIds ? { encodesHere: true } : {}),
    concurrency: settings.concurrency,
    held: () => server.held,
    generate,
    checkConstraint: (constraint) => api.checkConstraint(constraint, settings),
    ...(settings.endpoint === 'chat' || !api.takesText ? {} : { score: serverScorer({ settings, server, toSend }) }),
    ...(api.takesText ? { forward } : {}),
    async close() {
      server.close()
      await close?.()
    },
  }
}

const none: readonly string[] = []

/** An API for chats cannot complete or score a text. */
function takesMessages(where: string, { title }: WireApi): PromptError {
  return new PromptError('wrong-kind', {
    where,
    problem: `${title} takes messages, but the format produces text`,
    fix: "use format: 'messages'; text is completed and scored by models on OpenAI-compatible servers (type: openai) and by models here",
  })
}

/** Rows of a run share their stops. */
function rememberLast(
  work: (prompt: Prompt, more: readonly string[]) => StopsToSend,
): (prompt: Prompt, more: readonly string[]) => StopsToSend {
  let last: { stop: Prompt['stop']; more: readonly string[]; result: StopsToSend } | undefined
  return (prompt, more) => {
    if (last?.stop !== prompt.stop || last.more !== more) last = { stop: prompt.stop, more, result: work(prompt, more) }
    return last.result
  }
}

type SettingsOf = (options: GenerateOptions, stops: StopsToSend, stream: boolean, habits: ServerHabits) => string

/** Rows of a run share their options. */
function rememberSettings(work: SettingsOf): SettingsOf {
  let last: { options: GenerateOptions; stops: StopsToSend; stream: boolean; habits: ServerHabits; json: string } | undefined
  return (options, stops, stream, habits) => {
    const isSame =
      last !== undefined &&
      last.options.sampling === options.sampling &&
      last.options.maxTokens === options.maxTokens &&
      last.options.minTokens === options.minTokens &&
      last.options.constraint === options.constraint &&
      last.options.forwarded === options.forwarded &&
      last.stops === stops &&
      last.stream === stream &&
      last.habits === habits
    if (!isSame) last = { options, stops, stream, habits, json: work(options, stops, stream, habits) }
    return last!.json
  }
}

function bosNotes({ bos }: CompletionPrompt, extraBody: OpenAISettings['extraBody']): Note[] {
  if (bos === 'tokenizer' || 'add_special_tokens' in extraBody) return []
  return [
    {
      code: 'bos-by-server',
      text: "the prompt is sent as text, and the server's tokenizer may put its own BOS before it: set tokenizer_path to send ids, or extra_body: { add_special_tokens: false } on vLLM",
    },
  ]
}
