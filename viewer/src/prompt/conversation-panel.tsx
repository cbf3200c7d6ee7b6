import type { Conversation } from '../../../src/prompt/conversation/conversation.ts'
import { conversationLines } from '../../../src/prompt/conversation/conversation-lines.ts'
import { promptWords } from '../words/prompt.ts'
import { visibleText } from './visible-text.tsx'

/** Longer conversations are shown up to here: the page stays quick. */
const mostLines = 200

/** What is said between the two templates, as `render --conversation` prints it; closed until somebody wants to know. */
export function ConversationPanel({ conversation }: { conversation: Conversation }) {
  const lines = conversationLines(conversation)
  return (
    <details class="conversation-lines">
      <summary>{promptWords().conversation}</summary>
      <ol>
        {lines.slice(0, mostLines).map((line, index) => (
          <li key={index}>
            <code>{visibleText(line.slice(0, 5_000), false)}</code>
          </li>
        ))}
      </ol>
      {lines.length > mostLines && <p class="quiet">{promptWords().moreTurns(lines.length - mostLines)}</p>}
    </details>
  )
}
