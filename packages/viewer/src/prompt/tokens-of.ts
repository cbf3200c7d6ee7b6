import type { Note } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import { missingMarkers, type Token, tokenize } from '@rolecall/core/internal/tokenizer'
import type { ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import type { TokenizerSite } from 'rolecall/internal/server/viewer/viewer-data'
import { promptTexts } from '../texts/prompt.ts'

type TokenizerLike = Parameters<typeof tokenize>[1]

/** Longer prompts are not tokenized on every change. */
const mostCharacters = 400_000

export type Cut = { tokens?: readonly Token[]; notes?: readonly Note[]; error?: Error }

/** Tokenizes a prompt, or returns why not. */
export function tokensOf(prompt: Prompt, format: Format, tokenizer: TokenizerLike | undefined): Cut | undefined {
  if (!tokenizer) return undefined
  try {
    if (prompt.kind === 'chat') return { notes: [{ code: 'no-tokens', text: promptTexts().onlyServerKnows }] }
    const length = prompt.pieces.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0)
    if (length > mostCharacters)
      return {
        notes: [{ code: 'no-tokens', text: promptTexts().tooLong(length) }],
      }
    const { tokens, notes } = tokenize(prompt, tokenizer, { markers: format.markers, tokens: format.tokens })
    return { tokens, notes: [...notes, ...missingMarkers(format.markers, tokenizer)] }
  } catch (error) {
    return { error: error as Error }
  }
}

/** Describes the tokenizer. */
export function nameOfTokenizer(name: string, site: TokenizerSite | undefined, { tokenizer_path: path }: ModelConfig): string {
  if (site) return name
  const words = promptTexts()
  const by = path === undefined ? words.shippedTokenizer : `${words.shippedTokenizer} ${words.noFileHere(path)}`
  return `${by}, ${words.estimate}`
}
