import type { Site } from '../../../src/app/server/viewer/viewer-data.ts'
import type { Transcript } from '../../../src/model/agent/transcript.ts'
import { checkTranscript } from '../conversations/check-transcript.ts'
import { MessageView } from '../conversations/message-view.tsx'
import { SentView } from '../conversations/sent-view.tsx'
import { colourOf, speakerOf, speakers } from '../conversations/speakers.ts'
import { load } from '../data/load.ts'
import { useLoad } from '../data/use-load.ts'
import { findNamed, linkNames } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ErrorBox } from '../parts/error-box.tsx'
import { NotHere } from '../parts/not-here.tsx'
import { Toggle } from '../parts/toggle.tsx'
import { useSettings } from '../prompt/use-settings.ts'
import { visibleText } from '../prompt/visible-text.tsx'
import { type Route, useQuery } from '../route.ts'
import { conversationWords } from '../words/conversations.ts'
import { partWords } from '../words/parts.ts'

/** Saved conversations, turn by turn: what was said, called, run and answered, and each prompt that was sent. */
export function ConversationsPage({ site, route }: { site: Site; route: Route }) {
  const change = useQuery(route)
  const [told, parts] = [conversationWords(), partWords()]
  const { index: number, missing } = findNamed(site.conversations, route.query.conversation)
  const names = linkNames(site.conversations)
  const transcript = useLoad((signal) => loadTranscript(number, signal), [number])
  const settings = useSettings()
  return (
    <div class="conversation">
      <NotHere missing={[[told.conversation, missing]]} />
      <h1>{visibleText(names[number] ?? '', false)}</h1>
      <p class="quiet">{told.about}</p>
      <div class="toolbar">
        {names.length > 1 && (
          <Choice
            label={told.conversation}
            value={names[number]!}
            options={names.map((name) => [name, name] as const)}
            onChange={(name) => change({ conversation: name === names[0] ? undefined : name })}
          />
        )}
        <span class="spread" />
        <Toggle on={settings.whitespace} onChange={settings.setWhitespace} hint="w">
          {parts.whitespace}
        </Toggle>
        <CopyButton text={() => location.href}>{parts.copyLink}</CopyButton>
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
  const told = conversationWords()
  // Steps are the model's own turns; assistants before the first of them were given, not asked.
  const spoken = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  const stepAt = new Map(spoken.slice(-steps.length || spoken.length).map((index, step) => [index, step]))
  const heard = new Set(messages.map(({ role }) => speakerOf(role)))
  const replies = steps.map(({ reply }) => ({ ids: reply.ids, text: reply.text }))
  return (
    <>
      <p class="quiet">
        {[
          model,
          format && told.format(format),
          tools.length > 0 && told.tools(tools.length),
          interpreter && told.interpreter,
          told.messages(messages.length),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <ul class="legend" aria-label={told.legend}>
        {speakers
          .filter((speaker) => heard.has(speaker) || (speaker === 'format' && steps.length > 0))
          .map((speaker) => (
            <li key={speaker} class={`key ${colourOf[speaker]}`}>
              <span class="swatch" aria-hidden="true">
                Ab
              </span>
              {told.speakers[speaker]}
            </li>
          ))}
      </ul>
      {tools.length > 0 && (
        <details class="tools">
          <summary>{told.tools(tools.length)}</summary>
          <pre class="extra">{visibleText(JSON.stringify(tools, null, 2), false)}</pre>
        </details>
      )}
      <ol class="turns">
        {messages.map((message, index) => {
          const place = stepAt.get(index)
          const step = place === undefined ? undefined : steps[place]
          return (
            <MessageView key={index} message={message} reasoning={step?.reply.reasoning} showWhitespace={showWhitespace}>
              {step && (
                <SentView
                  step={step}
                  messages={messages.slice(0, index)}
                  earlier={replies.slice(0, place)}
                  showWhitespace={showWhitespace}
                />
              )}
            </MessageView>
          )
        })}
      </ol>
    </>
  )
}
