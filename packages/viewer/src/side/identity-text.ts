import type { ModelSite } from '../../../src/app/server/viewer/viewer-data.ts'
import type { Prompt } from '../../../src/prompt/format/format.ts'
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
