import type { Note } from '@rolecall/core/internal/errors'
import type { Stop } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { stopIds } from '@rolecall/core/internal/tokenizer'

/** Where generation ends: tokens, and texts. */
export type StopRules = { ids: ReadonlySet<number>; texts: readonly string[]; notes: readonly Note[] }

/**
 * The stops of a prompt in the model's tokens. A text that begins with one of the tokenizer's special tokens stops on that token. Without a
 * stop token, the tokenizer's end of text is used. Document 001 requires the first token of the generating role's `end` to be that token,
 * so a difference is noted.
 */
export function stopRules(stops: readonly Stop[], tokenizer: Tokenizer, more: readonly string[] = []): StopRules {
  const ids = new Set(stopIds(stops, tokenizer))
  const texts = [...stops.flatMap((stop) => ('text' in stop ? [stop.text] : [])), ...more].filter((text) => text !== '')
  const isNamed = ids.size > 0
  for (const text of texts) {
    const token = tokenizer.addedTokens.find(({ special, content }) => special && text.startsWith(content))
    if (token) ids.add(token.id)
  }
  const notes: Note[] = []
  for (const stop of stops) {
    if (!('id' in stop) || tokenizer.tokenOf(stop.id) !== undefined) continue
    notes.push({
      code: 'stop-unknown',
      where: stop.source.path,
      text: `${tokenizer.name} has no token ${stop.id}, so nothing stops on it`,
    })
  }
  const { eos } = tokenizer
  if (!isNamed && eos !== undefined) {
    if (ids.size > 0 && !ids.has(eos)) {
      const [first] = ids
      notes.push({
        code: 'eos-differs',
        text: `the format ends the answer with ${nameOf(first!, tokenizer)}, the tokenizer ends a text with ${nameOf(eos, tokenizer)}: generation stops at both`,
      })
    }
    ids.add(eos)
  }
  return { ids, texts: [...new Set(texts)], notes }
}

function nameOf(id: number, tokenizer: Tokenizer): string {
  return tokenizer.tokenOf(id) ?? `token ${id}`
}
