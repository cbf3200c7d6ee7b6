import type { ChatMessage } from '@rolecall/core/internal/conversation'
import type { TranscriptStep } from 'rolecall/internal/model/agent/transcript'
import { MediaView } from '../prompt/media-view.tsx'
import { visibleText } from '../prompt/visible-text.tsx'
import { conversationTexts } from '../texts/conversations.ts'
import { longest } from './message-view.tsx'
import { colourOf } from './speakers.ts'
import { type EarlierReply, type Written, whoWrote } from './who-wrote.ts'

type SentViewProps = {
  step: TranscriptStep
  /** The earlier messages, and what the model wrote in earlier turns. */
  messages: readonly ChatMessage[]
  earlier: readonly EarlierReply[]
  showWhitespace: boolean
}

/** The prompt of a model turn as sent, coloured by origin, and the model's output. */
export function SentView({ step: { prompt, reply }, messages, earlier, showWhitespace }: SentViewProps) {
  const ui = conversationTexts()
  return (
    <details class="sent">
      <summary>{ui.sent(reply.tokens.prompt, reply.tokens.reply, ui.finishes[reply.finish] ?? reply.finish)}</summary>
      <div class="prompt">
        {prompt.kind === 'chat' ? (
          <pre class="extra">{visibleText(JSON.stringify(prompt.messages, null, 2), false)}</pre>
        ) : (
          <pre class="text">
            {whoWrote(prompt.parts, messages, earlier).map((part, index) => (
              <WrittenView key={index} part={part} showWhitespace={showWhitespace} />
            ))}
          </pre>
        )}
        <div class="cut">
          <span class="cut-label">{ui.modelWrote}</span>
          <pre class="text reply">{visibleText(reply.text.slice(0, longest), showWhitespace)}</pre>
        </div>
      </div>
    </details>
  )
}

function WrittenView({ part, showWhitespace }: { part: Written; showWhitespace: boolean }) {
  if ('media' in part) return <MediaView media={part.media} />
  const ui = conversationTexts()
  const kind = `piece ${colourOf[part.by]}`
  if ('ids' in part)
    return (
      <span class={`${kind} marker`} title={ui.speakers[part.by]}>
        {ui.tokenIds(part.ids.length)}
      </span>
    )
  return (
    <span class={`${kind}${part.isMarker ? ' marker' : ''}`} title={ui.speakers[part.by]}>
      {visibleText(part.text.slice(0, longest), showWhitespace)}
    </span>
  )
}
