import type { PreparedPrompt, PromptMaker, PromptTarget, RenderedPrompt } from '@rolecall/core/internal/compile'
import type { Conversation, Question, Section, Turn } from '@rolecall/core/internal/conversation'
import { interleaveMedia, type MediaPlace, mediaContent } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import { plainFormat, promptText } from '@rolecall/core/internal/format'
import { isText, type MediaPiece, type TextPiece } from '@rolecall/core/internal/text'
import { piecesOfFragments } from '../prompt/fragment-pieces.ts'
import { asSingleTurn, joined, type TaskMessage, textOfFragments } from '../prompt/message.ts'
import { requestsOf, type TaskRequest } from '../prompt/task-requests.ts'
import { docOfRow, examplesOfRow, type TaskSpec, taskOf } from './task-spec.ts'

/**
 * Compiles the prompts of an lm-evaluation-harness task. Without `apply_chat_template` a prompt is plain text, whatever the model's format;
 * with it, the format writes the messages. For log-likelihoods the label of a prompt is the index of its request.
 */
export function taskPrompts(spec: TaskSpec, { formatWith, quirks }: PromptTarget): PromptMaker {
  const format: Format = spec.apply_chat_template ? formatWith(quirks) : plainFormat(quirks)
  const render = (question: Question): RenderedPrompt => {
    const request = requestFor(spec, question)
    return { conversation: conversationOf(spec, request), prompt: promptOf(request) }
  }
  const promptOf = (request: TaskRequest): Prompt => {
    const continuation = continuationOf(request)
    const isChat = spec.apply_chat_template && request.kind === 'loglikelihood' && request.prompt !== undefined
    if (!isChat) return format.render(conversationOf(spec, request, continuation), { want: wantOf(request, spec) })
    return withContinuation(format.render(conversationOf(spec, request, []), { want: wantOf(request, spec) }), continuation)
  }
  const prepared = new Map<string, PreparedPrompt>()
  return {
    format,
    labels: undefined,
    mapsLabels: undefined,
    conversation: (question) => conversationOf(spec, requestFor(spec, question)),
    render,
    prepare({ mode, label }) {
      const key = `${mode}:${label ?? ''}`
      const known = prepared.get(key)
      if (known) return known
      const ask = { mode, ...(label === undefined ? {} : { label }) }
      const isText = format.name === 'plain text' && !spec.apply_chat_template
      const requestOf = (row: Question['row']) => requestFor(spec, { row, ...ask })
      const promptOfRow = (row: Question['row']) => promptOf(requestOf(row))
      const made = isText ? preparedText(promptOfRow, requestOf) : preparedBy(promptOfRow)
      prepared.set(key, made)
      return made
    },
  }
}

type OfRow<Result> = (row: Question['row']) => Result

function preparedBy(promptOf: OfRow<Prompt>): PreparedPrompt {
  return {
    prompt: promptOf,
    both: (row) => ({ prompt: promptOf(row) }),
    text: (row) => promptText(promptOf(row)),
    write: (row, sink) => sink.writeText(promptText(promptOf(row))),
  }
}

/** Prompts without a format and without provenance. */
function preparedText(promptOf: OfRow<Prompt>, requestOf: OfRow<TaskRequest>): PreparedPrompt {
  const textBehind = (request: TaskRequest) =>
    request.kind === 'generate' ? '' : textOfFragments(request.kind === 'rolling' ? request.text : request.continuation)
  const promptBefore = (request: TaskRequest) => (request.kind === 'rolling' ? undefined : request.prompt)
  return {
    prompt: promptOf,
    both: (row) => ({ prompt: promptOf(row) }),
    text(row) {
      const request = requestOf(row)
      return (promptBefore(request)?.text ?? '') + textBehind(request)
    },
    write(row, sink) {
      const request = requestOf(row)
      const before = promptBefore(request)
      if (before === undefined) sink.writeText(textBehind(request))
      else before.write(sink, textBehind(request))
    },
  }
}

/** The choices of a row are sent in sequence and share everything except their ends. */
let lastAsked: { spec: TaskSpec; row: Question['row']; requests: readonly TaskRequest[] } | undefined

/** The requests of a row, in the order of lm-evaluation-harness. */
export function taskRequests(spec: TaskSpec, row: Question['row']): readonly TaskRequest[] {
  if (lastAsked?.row === row && lastAsked.spec === spec) return lastAsked.requests
  const { system_instruction: system, apply_chat_template: isChat } = spec
  const requests = requestsOf(taskOf(spec), docOfRow(row), { examples: examplesOfRow(spec, row), system, isChat })
  lastAsked = { spec, row, requests }
  return requests
}

function requestFor(spec: TaskSpec, { row, label }: Question): TaskRequest {
  const requests = taskRequests(spec, row)
  const found = requests[label === undefined ? 0 : Number(label)]
  if (found) return found
  throw new PromptError('no-label', { where: spec.file, problem: `a row has no request ${label}`, fix: `take 0 to ${requests.length - 1}` })
}

/** In a chat the model speaks next, also where its reply is given and scored; a start of the answer is continued. */
function wantOf(request: TaskRequest, { apply_chat_template: isChat }: TaskSpec): 'generate' | 'complete' | 'continue' {
  if (request.kind === 'rolling' || (request.kind === 'loglikelihood' && !(isChat && request.prompt))) return 'complete'
  return isChat && request.hasPrefix ? 'continue' : 'generate'
}

function continuationOf(request: TaskRequest): readonly TextPiece[] {
  return request.kind === 'loglikelihood' ? piecesOfFragments(request.continuation, true) : []
}

/** A chat template would trim the continuation and end its turn: as in the harness, it follows the prompt as it is. */
function withContinuation(prompt: Prompt, continuation: readonly TextPiece[]): Prompt {
  if (prompt.kind === 'chat') return prompt
  const start = prompt.pieces.length
  return { ...prompt, pieces: [...prompt.pieces, ...continuation], answer: { start, end: start + continuation.length } }
}

function conversationOf(spec: TaskSpec, request: TaskRequest, continuation = continuationOf(request)): Conversation {
  if (request.kind === 'rolling') return { kind: 'text', content: piecesOfFragments(request.text, true), notes: [] }
  const media = request.kind === 'generate' ? request.media : []
  if (media.length > 0 && !spec.apply_chat_template) throw needsChat(spec)
  const all = request.prompt?.messages
  if (!spec.apply_chat_template || all === undefined)
    return { kind: 'text', content: [...piecesOfFragments(joined(all ?? [])), ...continuation], notes: [] }
  const messages = spec.fewshot_as_multiturn ? all : asSingleTurn(all)
  const items: Section['items'] = withMedia(turnsOf(messages, continuation), media, spec)
  return { kind: 'dialogue', sections: [{ kind: 'chat', items }], notes: [] }
}

function needsChat({ file }: TaskSpec): PromptError {
  return new PromptError('no-media', {
    where: file,
    problem: 'the task has images or audio, which a text completion cannot carry',
    fix: 'add --apply-chat-template',
  })
}

/**
 * Puts the media of a document where its question has `<image>` or `<audio>`, as the harness's multimodal models do by default; without such
 * places, before the question, as its API models do.
 */
function withMedia(turns: readonly Turn[], media: readonly MediaPiece[], { file }: TaskSpec): readonly Turn[] {
  if (media.length === 0) return turns
  const asked = turns.findLastIndex(({ role }) => role === 'user')
  const { content = [], ...turn } = turns[asked]!
  const text = content.filter(isText)
  const left = [...media]
  const take = ({ kind, number }: MediaPlace): MediaPiece | undefined => {
    const at = number === undefined ? left.findIndex((one) => one.media.kind === kind) : -1
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const filled = interleaveMedia(text, take)
  if (left.length > 0 && left.length < media.length)
    throw new PromptError('no-media', {
      where: file,
      problem: `the document has ${media.length} images or audio, but its question has places for ${media.length - left.length}`,
      fix: 'write <image> or <audio> in doc_to_text once for each, or for none of them',
    })
  return turns.with(asked, { ...turn, ...mediaContent([...left, ...filled]) })
}

/** Messages as turns; the scored text is the assistant's, after the start of its answer if there is one. */
function turnsOf(messages: readonly TaskMessage[], continuation: readonly TextPiece[]): readonly Turn[] {
  const turns = messages.map(({ role, content }, index) => ({ role, content: piecesOfFragments(content), path: `messages[${index}]` }))
  if (continuation.length === 0) return turns
  const last = turns.at(-1)
  if (last?.role !== 'assistant') return [...turns, { role: 'assistant', content: continuation, path: `messages[${turns.length}]` }]
  return [...turns.slice(0, -1), { ...last, content: [...last.content, ...continuation] }]
}
