import type { Prompt } from '@rolecall/core/internal/format'
import { bodyOf, toolsJson } from '@rolecall/core/internal/format'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { Piece } from '@rolecall/core/internal/text'
import type { ComposedPrompt, Request } from './inferencer.ts'

/** The sent text: messages as JSON, with any tools. Token ids, which have no text, are written as <#92543>. */
export function sentText(prompt: Prompt): string {
  return composedText({ prompt })
}

/** The same for a composed prompt, whose messages may be known as JSON. */
export function composedText({ prompt, text: known }: ComposedPrompt): string {
  if (prompt.kind === 'chat') {
    const messages = known ?? bodyOf(prompt)
    return hasTools(prompt) ? `{"messages":${messages},"tools":${toolsJson(prompt.tools!)}}` : messages
  }
  let text = ''
  for (const piece of prompt.pieces) text += 'text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : ''
  return text
}

/** Whether a server receives tools in addition to the messages. */
export function hasTools(prompt: Prompt): boolean {
  return prompt.kind === 'chat' && prompt.tools !== undefined && prompt.tools.length > 0
}

/**
 * The text to hash for a row's key: everything its requests are made of,
 * before examples are dropped to fit. It includes which texts may be control tokens, stops and BOS.
 */
export function requestsText(requests: readonly Request[], bodies?: readonly string[]): string {
  let text = ''
  let number = 0
  for (const { prompts: asked } of requests) {
    for (const { prompt } of asked) {
      if (number > 0) text += '\u0001'
      text += promptIdentity(prompt, bodies?.[number])
      number++
    }
  }
  for (const request of requests) {
    if (request.kind === 'generate') continue
    const answers = request.prompts.map(({ prompt: { answer } }) => (answer ? [answer.start, answer.end] : null))
    text += `\u0001${stringifyJson([request.compared, answers] as PyValue)}`
  }
  return text
}

function promptIdentity(prompt: Prompt, body = prompt.kind === 'chat' ? bodyOf(prompt) : ''): string {
  const stops = prompt.stop.length === 0 ? '' : JSON.stringify(prompt.stop.map(({ source: _, ...stop }) => stop))
  if (prompt.kind === 'completion') return `${prompt.bos}${prompt.needsPrefix ? '+prefix' : ''} ${stops} ${piecesIdentity(prompt.pieces)}`
  // A server receives the messages as JSON, so their JSON alone identifies them.
  return `chat ${stops} ${body} ${prompt.tools ? stringifyJson(prompt.tools as PyValue) : ''}`
}

/** Lengths precede texts, so that no text can look like the next piece. */
function piecesIdentity(pieces: readonly Piece[]): string {
  let written = ''
  let [text, isControl] = ['', false]
  const flush = () => {
    if (text !== '') written += `${isControl ? 'c' : 't'}${text.length}:${text}`
    text = ''
  }
  for (const piece of pieces) {
    if ('text' in piece) {
      if (piece.control !== isControl) flush()
      isControl = piece.control
      text += piece.text
    } else {
      flush()
      written += 'ids' in piece ? `i${piece.ids.join(',')};` : `m${JSON.stringify(piece.media)};`
    }
  }
  flush()
  return written
}
