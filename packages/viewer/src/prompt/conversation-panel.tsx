import type { Conversation } from '@rolecall/core/internal/conversation'
import { conversationLines } from '@rolecall/core/internal/conversation'
import { promptTexts } from '../texts/prompt.ts'
import { visibleText } from './visible-text.tsx'

/** Longer conversations are truncated, to keep the page responsive. */
const mostLines = 200

/** The conversation between the two templates, as printed by `render --conversation`; collapsed by default. */
export function ConversationPanel({ conversation }: { conversation: Conversation }) {
  const lines = conversationLines(conversation)
  return (
    <details class="conversation-lines">
      <summary>{promptTexts().conversation}</summary>
      <ol>
        {lines.slice(0, mostLines).map((line, index) => (
          <li key={index}>
            <code>{visibleText(line.slice(0, 5_000), false)}</code>
          </li>
        ))}
      </ol>
      {lines.length > mostLines && <p class="quiet">{promptTexts().moreTurns(lines.length - mostLines)}</p>}
    </details>
  )
}
