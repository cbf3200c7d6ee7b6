import type { ChatMessage } from '@rolecall/core/internal/conversation'
import { labTexts } from '../../texts/lab.ts'
import { JsonField } from './json-field.tsx'

const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const

type MessagesFormProps = { messages: readonly ChatMessage[]; onChange: (messages: readonly ChatMessage[]) => void }

/** A chat as a form: roles, texts, reasoning and calls. */
export function MessagesForm({ messages, onChange }: MessagesFormProps) {
  const words = labTexts()
  const replace = (index: number, message: ChatMessage) => onChange(messages.map((one, at) => (at === index ? message : one)))
  const moveUp = (index: number) => {
    const moved = [...messages]
    const [message] = moved.splice(index, 1)
    if (message) moved.splice(index - 1, 0, message)
    onChange(moved)
  }
  return (
    <>
      {messages.map((message, index) => (
        <article key={index} class="message" data-message={index}>
          <header>
            <select
              aria-label={`${words.role}, ${words.message(index + 1)}`}
              value={message.role}
              onChange={(event) => replace(index, { ...message, role: event.currentTarget.value })}
            >
              {[...new Set([...roles, message.role])].map((role) => (
                <option key={role} value={role}>
                  {role}
                </option>
              ))}
            </select>
            <span class="spread" />
            {typeof message.content === 'string' && /<\|?[\w/][^<>\s]{1,30}\|?>|\[\/?INST\]/.test(message.content) && (
              <span class="tag o-harmless">{words.specialText}</span>
            )}
            <button
              type="button"
              class="flat"
              disabled={index === 0}
              aria-label={`${words.up}, ${words.message(index + 1)}`}
              title={words.up}
              onClick={() => moveUp(index)}
            >
              ↑
            </button>
            <button
              type="button"
              class="flat"
              aria-label={`${words.remove}, ${words.message(index + 1)}`}
              title={words.remove}
              onClick={() => onChange(messages.filter((_, at) => at !== index))}
            >
              ×
            </button>
          </header>
          <MessageFields message={message} number={index + 1} onChange={(changed) => replace(index, changed)} />
        </article>
      ))}
      <button type="button" class="wide-button" onClick={() => onChange([...messages, { role: nextRole(messages), content: '' }])}>
        {words.addMessage}
      </button>
    </>
  )
}

function nextRole(messages: readonly ChatMessage[]): string {
  return messages.at(-1)?.role === 'user' ? 'assistant' : 'user'
}

type FieldsProps = { message: ChatMessage; number: number; onChange: (message: ChatMessage) => void }

function MessageFields({ message, number, onChange }: FieldsProps) {
  const words = labTexts()
  const { role, content, reasoning_content: reasoning, tool_calls: calls } = message
  return (
    <>
      {(role === 'assistant' || reasoning) && (
        <textarea
          class="reasoning"
          rows={1}
          spellcheck={false}
          placeholder={words.reasoning}
          aria-label={`${words.reasoning}, ${words.message(number)}`}
          value={reasoning ?? ''}
          onInput={(event) => {
            const { reasoning_content: _, ...rest } = message
            const text = event.currentTarget.value
            onChange(text === '' ? rest : { ...rest, reasoning_content: text })
          }}
        />
      )}
      {content === null || content === undefined || typeof content === 'string' ? (
        <textarea
          rows={1}
          spellcheck={false}
          aria-label={`${words.content}, ${words.message(number)}`}
          value={content ?? ''}
          onInput={(event) => onChange({ ...message, content: event.currentTarget.value })}
        />
      ) : (
        <JsonField
          label={words.parts}
          value={content}
          is={isList}
          onChange={(parts) => onChange({ ...message, content: parts })}
          rows={6}
        />
      )}
      {calls && (
        <JsonField
          label={words.calls}
          value={calls}
          is={isList}
          onChange={(given) => onChange({ ...message, tool_calls: given })}
          rows={6}
        />
      )}
    </>
  )
}

function isList<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)
}
