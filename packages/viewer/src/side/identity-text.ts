import type { Prompt } from '@rolecall/core/internal/format'
import type { ModelSite } from 'rolecall/internal/server/viewer/viewer-data'
import type { Cut } from '../prompt/tokens-of.ts'
import { sideTexts } from '../texts/side-by-side.ts'

type Identical = { model: Pick<ModelSite, 'tokenizer'>; prompt: Prompt; cut: Cut | undefined }

/** How far equal prompts are equal. Tokens are compared only if every model's own tokenizer is here. */
export function identityText(sides: readonly Identical[]): string {
  const words = sideTexts()
  if (sides.some(({ prompt }) => prompt.kind === 'chat')) return words.identicalMessages
  const tokens = sides.flatMap(({ model, cut }) => (model.tokenizer && cut?.tokens ? [cut.tokens] : []))
  if (tokens.length < sides.length) return words.identicalBytes
  const ids = tokens.map((list) => list.map(({ id }) => id).join(' '))
  return ids.every((one) => one === ids[0]) ? words.identical : words.identicalBytesOnly(tokens.map(({ length }) => length))
}
