import type { SavedPart, SavedPrompt, Transcript, TranscriptStep } from '../../../src/agent/transcript.ts'
import type { ChatMessage, ChatToolCall } from '../../../src/conversation/chat-message.ts'
import { pyStr } from '../../../src/python/index.ts'
import type { Site } from '../../../src/server/viewer/wire.ts'
import { checkTranscript } from '../conversations/check-transcript.ts'
import { load } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { Choice } from '../parts/choice.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { Picture } from '../prompt/picture.tsx'
import { useSettings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { type Route, useQuery } from '../route.ts'

/** Saved conversations, turn by turn: what was said, called, run and answered, and each prompt that was sent. */
export function ConversationsPage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const number = Math.max(0, Math.min(Number(route.query.conversation ?? 0) || 0, site.conversations.length - 1))
  const transcript = useLoad((signal) => loadTranscript(number, signal), [number])
  const settings = useSettings()
  return (
    <div class="conversation">
      <div class="toolbar">
        {site.conversations.length > 1 ? (
          <Choice
            label="conversation"
            value={String(number)}
            options={site.conversations.map((name, index) => [String(index), name])}
            onChange={(value) => change({ conversation: value })}
          />
        ) : (
          <h1>{visibleText(site.conversations[number] ?? '', false)}</h1>
        )}
        <span class="spread" />
        <Toggle on={settings.whitespace} onChange={settings.setWhitespace} hint="w">
          whitespace
        </Toggle>
      </div>
      {transcript.error && <ErrorBox error={transcript.error} />}
      {transcript.value && <Turns transcript={transcript.value} showWhitespace={settings.whitespace} />}
    </div>
  )
}

async function loadTranscript(number: number, signal: AbortSignal): Promise<Partial<Transcript>> {
  return checkTranscript(await (await load(`data/conversations/${number}.json`, signal)).json())
}

function Turns({ transcript, showWhitespace }: { transcript: Partial<Transcript>; showWhitespace: boolean }) {
  const { model, format, tools = [], interpreter, messages = [], steps = [] } = transcript
  // Steps are the model's own turns; assistants before the first of them were given, not asked.
  const spoken = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  const stepAt = new Map(spoken.slice(-steps.length || spoken.length).map((index, step) => [index, steps[step]]))
  return (
    <>
      <p class="quiet">
        {[
          model,
          format && `format ${format}`,
          tools.length > 0 && (tools.length === 1 ? 'one tool' : `${tools.length} tools`),
          interpreter && 'an interpreter',
          `${messages.length} messages`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {tools.length > 0 && (
        <details class="tools">
          <summary>tools</summary>
          <pre class="extra">{visibleText(JSON.stringify(tools, null, 2), false)}</pre>
        </details>
      )}
      <ol class="turns">
        {messages.map((message, index) => (
          <li key={index} class={`speech by-${kindOf(message.role)}`}>
            <h3>
              {visibleText(message.role, false)}
              {message.name !== undefined && <small> {visibleText(message.name, false)}</small>}
              {message.tool_call_id !== undefined && <small> answers {visibleText(message.tool_call_id, false)}</small>}
            </h3>
            <Said message={message} showWhitespace={showWhitespace} />
            <Sent step={stepAt.get(index)} showWhitespace={showWhitespace} />
          </li>
        ))}
      </ol>
    </>
  )
}

function kindOf(role: string): string {
  if (role === 'assistant') return 'assistant'
  if (role === 'system' || role === 'developer') return 'system'
  return role === 'user' ? 'user' : 'tool'
}

const longest = 20_000

function Said({
  message: { content, reasoning_content: reasoning, tool_calls: calls },
  showWhitespace,
}: {
  message: ChatMessage
  showWhitespace: boolean
}) {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? [])
  return (
    <>
      {reasoning && (
        <details class="reasoning">
          <summary>reasoning</summary>
          <pre class="text">{visibleText(reasoning.slice(0, longest), showWhitespace)}</pre>
        </details>
      )}
      {parts.map((part, index) => {
        if (part.type === 'image_url')
          return <Picture key={index} url={typeof part.image_url === 'string' ? part.image_url : part.image_url.url} />
        return part.text === '' ? null : (
          <pre key={index} class="text">
            {visibleText(part.text.slice(0, longest), showWhitespace)}
            {part.text.length > longest && <span class="more">… {(part.text.length - longest).toLocaleString('en')} characters more</span>}
          </pre>
        )
      })}
      {calls?.map((call, index) => (
        <CallView key={index} call={call} />
      ))}
    </>
  )
}

function CallView({ call }: { call: ChatToolCall }) {
  if ('code_interpreter' in call) {
    return (
      <figure class="call code">
        <figcaption>runs code</figcaption>
        <pre>{visibleText(call.code_interpreter.input, false)}</pre>
      </figure>
    )
  }
  const { name, arguments: given } = 'function' in call ? call.function : call
  return (
    <div class="call">
      calls <b>{visibleText(name, false)}</b>{' '}
      <code>{visibleText(given === undefined ? '' : typeof given === 'string' ? given : pyStr(given), false)}</code>
      {call.id !== undefined && <small> {visibleText(call.id, false)}</small>}
    </div>
  )
}

function Sent({ step, showWhitespace }: { step: TranscriptStep | undefined; showWhitespace: boolean }) {
  if (!step) return null
  const { prompt, reply } = step
  return (
    <details class="sent">
      <summary>
        what it was sent and what it wrote: {reply.tokens.prompt} tokens read, {reply.tokens.reply} written, {reply.finish}
      </summary>
      <div class="prompt">
        <SavedView prompt={prompt} showWhitespace={showWhitespace} />
        <div class="cut">
          <span class="cut-label">the model wrote</span>
          <pre class="text reply">{visibleText(reply.text.slice(0, longest), showWhitespace)}</pre>
        </div>
      </div>
    </details>
  )
}

function SavedView({ prompt, showWhitespace }: { prompt: SavedPrompt; showWhitespace: boolean }) {
  if (prompt.kind === 'chat') return <pre class="extra">{visibleText(JSON.stringify(prompt.messages, null, 2), false)}</pre>
  return (
    <pre class="text">
      {prompt.parts.map((part, index) => (
        <SavedPartView key={index} part={part} showWhitespace={showWhitespace} />
      ))}
    </pre>
  )
}

function SavedPartView({ part, showWhitespace }: { part: SavedPart; showWhitespace: boolean }) {
  if ('image' in part) return <Picture url={part.image} />
  if ('ids' in part) return <span class="piece o-format marker">{part.ids.map((id) => `<#${id}>`).join('')}</span>
  if ('control' in part) return <span class="piece o-format marker">{visibleText(part.control, showWhitespace)}</span>
  return <span class="piece o-field">{visibleText(part.text.slice(0, longest), showWhitespace)}</span>
}
