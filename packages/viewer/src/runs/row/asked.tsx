import type { ChatMessage, Row } from '@rolecall/core/internal/conversation'
import { dictEntries, isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import type { Media } from '@rolecall/core/internal/text'
import type { DatasetConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { MessageView } from '../../conversations/message-view.tsx'
import { mediaIn } from '../../prompt/media-in.ts'
import { MediaView } from '../../prompt/media-view.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { rowTexts } from '../../texts/row.ts'
import { Answer } from './answer.tsx'

export type AskedField = { name: string; value: PyValue; media?: readonly Media[] }

/** The input columns of a row, if the dataset names them. */
export function askedOf(row: Row, { reader_cfg: reader, media_columns: mediaColumns = [] }: DatasetConfig): readonly AskedField[] {
  const columns = [reader?.input_columns ?? []].flat()
  return dictEntries(row).flatMap(([key, value]) => {
    const name = String(key)
    if (!columns.includes(name)) return []
    const media = mediaIn(value, mediaColumns.includes(name))
    return [{ name, value, ...(media ? { media } : {}) }]
  })
}

/** The question: texts with column names if there are several, conversations turn by turn, images and audio. */
export function Asked({ fields: all }: { fields: readonly AskedField[] }) {
  const ui = rowTexts()
  const fields = all.filter(({ media }) => media === undefined)
  const conversations = fields.flatMap(({ name, value }) => ({ name, messages: conversationIn(value) ?? [] }))
  const texts = fields.filter((_, index) => conversations[index]!.messages.length === 0)
  const text = texts.map(({ name, value }) => (texts.length === 1 ? pyStr(value) : `${name}: ${pyStr(value)}`)).join('\n')
  return (
    <>
      {all.map(
        ({ name, media }) =>
          media && (
            <section key={name} class="answer" aria-label={name}>
              <h3>{visibleText(name, false)}</h3>
              <div class="asked-media">
                {media.map((one, index) => (
                  <MediaView key={index} media={one} />
                ))}
              </div>
            </section>
          ),
      )}
      {texts.length > 0 && <Answer title={ui.asked} value={text} />}
      {conversations.map(
        ({ name, messages }) =>
          messages.length > 0 && (
            <section key={name} class="answer" aria-label={ui.asked}>
              <h3>
                {ui.asked} {fields.length > 1 && visibleText(name, false)}
              </h3>
              <ol class="turns asked-turns">
                {messages.map((message, index) => (
                  <MessageView key={index} message={message} showWhitespace={false}>
                    {null}
                  </MessageView>
                ))}
              </ol>
            </section>
          ),
      )}
    </>
  )
}

/** A column of messages, each with role and text. */
export function conversationIn(value: PyValue): ChatMessage[] | undefined {
  if (!isList(value)) return undefined
  try {
    const messages = JSON.parse(stringifyJson(value, { ensureAscii: false })) as unknown[]
    return messages.every(isMessage) ? messages : undefined
  } catch {
    // JSON has no NaN.
    return undefined
  }
}

function isMessage(value: unknown): value is ChatMessage {
  if (!isObject(value)) return false
  const { role, content = null, tool_calls: calls } = value
  if (typeof role !== 'string' || (content !== null && typeof content !== 'string')) return false
  return calls === undefined || calls === null || (Array.isArray(calls) && calls.every(isCall))
}

function isCall(value: unknown): boolean {
  return isObject(value) && !('code_interpreter' in value) && (!('function' in value) || isObject(value.function))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
