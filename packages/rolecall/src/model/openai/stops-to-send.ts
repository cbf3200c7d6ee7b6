import { distinctNotes, type Note } from '@rolecall/core/internal/errors'
import type { Stop } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { stopRules } from '../language-model/stop-rules.ts'

export type StopsToSend = {
  /** The stops of a reply, whether the server knows them or not. */
  texts: readonly string[]
  /** The stops that are sent. */
  sent: { texts: readonly string[]; ids: readonly number[] }
  ids: ReadonlySet<number>
  notes: readonly Note[]
}

export type StopOptions = {
  tokenizer?: Tokenizer | undefined
  /** Send ids as vLLM's stop_token_ids. */
  sendIds: boolean
  /** OpenAI itself takes four. */
  mostTexts: number
  /** Whether the server takes a text; by default it takes any. */
  takes?: ((text: string) => boolean) | undefined
}

/** The stops of a prompt as a server takes them: texts; tokens by their text; ids if it takes ids or the tokenizer knows their text. */
export function stopsToSend(
  stops: readonly Stop[],
  more: readonly string[],
  { tokenizer, sendIds, mostTexts, takes }: StopOptions,
): StopsToSend {
  const rules = tokenizer ? stopRules(stops, tokenizer, more) : undefined
  const ids = rules?.ids ?? new Set(stops.flatMap((stop) => ('id' in stop ? [stop.id] : [])))
  const notes: Note[] = [...(rules?.notes ?? [])]
  const texts = stops.flatMap((stop) => {
    if ('text' in stop) return [stop.text]
    if ('token' in stop) return [stop.token]
    const text = tokenizer?.tokenOf(stop.id)
    if (text === undefined && !sendIds && !tokenizer) {
      notes.push({
        code: 'stop-not-sent',
        where: stop.source.path,
        text: `the server is not told to stop at token ${stop.id}: set tokenizer_path, or send_stop_ids on vLLM`,
      })
    }
    return text === undefined ? [] : [text]
  })
  const all = [...new Set([...texts, ...more])].filter((text) => text !== '')
  return {
    texts: all,
    sent: { texts: (takes ? all.filter(takes) : all).slice(0, mostTexts), ids: sendIds ? [...ids] : [] },
    ids,
    notes: distinctNotes(notes),
  }
}
