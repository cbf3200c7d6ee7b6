import type { ChatMessage, ChatToolCall } from '@rolecall/core/internal/conversation'
import { contentPart } from '@rolecall/core/internal/conversation'
import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { ComponentChildren } from 'preact'
import { FormattedText } from '../formatted/formatted-text.tsx'
import { shownAs } from '../formatted/shown-as.ts'
import { MediaView } from '../prompt/media-view.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { partTexts } from '../texts/parts.ts'
import { colourOf, speakerOf } from './speakers.ts'
import { isToolError } from './tool-error.ts'

/** Longer texts are truncated. */
export const longest = 20_000

/** Roles translated to the reader's language; others are shown unchanged. */
const usualRoles: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool'])

type MessageViewProps = { message: ChatMessage; reasoning?: string | undefined; showWhitespace: boolean; children: ComponentChildren }

/** One message: reasoning separate, calls and tool results formatted, tool errors marked. */
export function MessageView({ message, reasoning, showWhitespace, children }: MessageViewProps) {
  const ui = conversationTexts()
  const { role, name, tool_call_id: answers, content, tool_calls: calls } = message
  const parts =
    typeof content === 'string' ? [{ text: content }] : (content ?? []).map((part) => contentPart(part as PyValue) ?? { text: '' })
  const speaker = speakerOf(role)
  const failed = speaker === 'tool' && parts.some((part) => 'text' in part && isToolError(part.text))
  const thought = message.reasoning_content || reasoning
  return (
    <li class={`speech ${colourOf[speaker]}${failed ? ' failed' : ''}`}>
      <h2>
        {usualRoles.has(role) ? ui.speakers[speaker] : visibleText(role, false)}
        {name !== undefined && <small> {visibleText(name, false)}</small>}
        {answers !== undefined && <small> {ui.answers(<code>{visibleText(answers, false)}</code>)}</small>}
        {failed && <strong class="tool-error">{ui.toolError}</strong>}
      </h2>
      {thought && (
        <details class="reasoning" open={thought.length < 600}>
          <summary>{ui.reasoning}</summary>
          <pre class="text">{visibleText(thought.slice(0, longest), showWhitespace)}</pre>
          <More text={thought} />
        </details>
      )}
      {parts.map((part, index) =>
        'media' in part ? (
          <MediaView key={index} media={part.media} />
        ) : part.text === '' ? null : (
          <Said key={index} text={part.text} isJson={speaker === 'tool'} showWhitespace={showWhitespace} />
        ),
      )}
      {calls?.map((call, index) => (
        <CallView key={index} call={call} />
      ))}
      {children}
    </li>
  )
}

/** The text as written; JSON from tools is formatted. */
function Said({ text, isJson, showWhitespace }: { text: string; isJson: boolean; showWhitespace: boolean }) {
  if (isJson && shownAs(text) === 'json') return <FormattedText text={text} as="json" />
  return (
    <>
      <pre class="text">{visibleText(text.slice(0, longest), showWhitespace)}</pre>
      <More text={text} />
    </>
  )
}

function More({ text }: { text: string }) {
  return text.length > longest ? <p class="quiet">… {partTexts().more(text.length - longest)}</p> : null
}

function CallView({ call }: { call: ChatToolCall }) {
  const ui = conversationTexts()
  const isCode = 'code_interpreter' in call
  const { name = '', arguments: given } = isCode ? { arguments: undefined } : 'function' in call ? call.function : call
  return (
    <figure class={`call${isCode ? ' code' : ''}`}>
      <figcaption>
        {isCode ? ui.runsCode : ui.calls(<b>{visibleText(name, false)}</b>)}
        {call.id !== undefined && <code>{visibleText(call.id, false)}</code>}
      </figcaption>
      {isCode ? <pre>{visibleText(call.code_interpreter.input, false)}</pre> : <FormattedText text={argumentsText(given)} />}
      {call.after !== undefined && <pre class="text">{visibleText(call.after, false)}</pre>}
    </figure>
  )
}

function argumentsText(given: PyValue | undefined): string {
  if (given === undefined) return ''
  return typeof given === 'string' ? given : stringifyJson(given, { ensureAscii: false })
}
