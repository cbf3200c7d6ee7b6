import { StopFilter } from '../../../packages/rolecall/src/model/language-model/stop-filter.ts'
import { oldConversation } from './old-prompt.ts'
import type { MlcSubject, MlcVector } from './vector.ts'

type Expected = { stopped: boolean; tokens_consumed: number; raw_message: string; display_message: string }

/** Feeds tokens one by one until a stop: whether and when it occurs, and the resulting reply. The KV cache belongs to the runtime. */
export function stopSubject(vector: MlcVector): Omit<MlcSubject, 'again'> {
  const { stopped, tokens_consumed: consumed, raw_message: message, display_message: shown } = vector.expected as unknown as Expected
  return { vector, expected: { stopped, consumed, message, shown }, produce: () => generate(vector) }
}

function generate(vector: MlcVector): unknown {
  const { stopIds, stopText } = oldConversation(vector)
  const { vocab, tokens } = vector
  const filter = new StopFilter([stopText, ...(vector.stop ?? [])])
  // The context already holds 100 tokens.
  const limit = Math.min(
    vector.max_gen_len ?? Number.POSITIVE_INFINITY,
    vector.max_window_size === undefined ? Number.POSITIVE_INFINITY : vector.max_window_size - 99,
  )
  let message = ''
  let consumed = 0
  let stopped = false
  for (const token of tokens!) {
    consumed++
    if (stopIds.includes(token)) stopped = true
    else message += filter.push(vocab![token]!)
    stopped ||= filter.stoppedBy !== undefined || consumed >= limit
    if (stopped) break
  }
  message += filter.end()
  return { stopped, consumed, message, shown: message.replace(/^ +/, '').replace(/\n+$/, '') }
}

/** Where the stop text begins within the tokens read so far: at a token boundary, inside a token, or nowhere. */
export function stopPlace(vector: MlcVector): 'border' | 'inside' | undefined {
  const { stopIds, stopText } = oldConversation(vector)
  const stops = [stopText, ...(vector.stop ?? [])].filter((text) => text !== '')
  let text = ''
  const borders = new Set([0])
  for (const token of vector.tokens!) {
    if (stopIds.includes(token)) return undefined
    text += vector.vocab![token]!
    const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
    if (found.length > 0) return borders.has(Math.min(...found)) ? 'border' : 'inside'
    borders.add(text.length)
  }
  return undefined
}
