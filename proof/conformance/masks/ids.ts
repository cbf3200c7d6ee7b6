import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { Piece, TextPiece } from '../../../packages/core/src/base/text/index.ts'
import { maskOf } from '../../../packages/core/src/masks/mask.ts'
import { modelTurns } from '../../../packages/core/src/masks/model-turns.ts'
import type { Prompt } from '../../../packages/core/src/prompt/format/format.ts'
import { tokenize } from '../../../packages/core/src/prompt/tokenizer/tokenize.ts'
import { type LoadedVocabulary, loadVocabulary } from '../../cases/real-vocabularies.ts'
import { hasVocabularies } from '../../testing/on-demand.ts'
import { type Outcome, outcomeOf, sameValue, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical, type Verdict } from '../verdict.ts'
import { templateOf, traitsOf } from './references.ts'

/** The token ids of a text and which of them are trained, with published vocabularies. */
export const maskedIds: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'mask') && dictHas(vector, 'ids'),
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    if (template === undefined) return failed('the vectors lack its template')
    if (!hasVocabularies) return withoutVocabularies
    const [messages, tools, kwargs] = ['messages', 'tools', 'kwargs'].map((key) => dictGet(given, key))
    const vocabulary = loadVocabulary(String(dictGet(given, 'tokenizer')))
    let pieces: readonly TextPiece[] = []
    let spans: readonly (readonly [number, number])[] = []
    const idsOf = (chosen: readonly TextPiece[]) => {
      const { ids, tokens } = tokenize(completion(chosen), vocabulary.tokenizer, { markers: vocabulary.markers })
      return { ids, mask: maskOf(tokens, spans) }
    }
    const ours = outcomeOf(() => {
      const written = template.render(messages as PyValue[], tools, kwargs, dictGet(given, 'add_generation_prompt') === true)
      pieces = written.pieces
      spans =
        dictGet(given, 'policy') === 'generation-blocks'
          ? written.generation.map(({ start, end }) => [start, end] as const)
          : modelTurns(messages as PyValue[], traitsOf, template.writer(tools, kwargs), written, template.end(kwargs)).flatMap((turn) =>
              turn.isKnown ? [turn.span] : [],
            )
      return idsOf(pieces)
    })
    const expected = { ids: numbers(dictGet(given, 'ids')), mask: numbers(dictGet(given, 'mask')) }
    return trial(ours, (result) => judgeIds(result, expected, { pieces, vocabulary, idsOf }))
  },
}

export const withoutVocabularies: Verdict = { kind: 'unsupported', why: 'the vocabularies are not installed' }

type Context = { pieces: readonly TextPiece[]; vocabulary: LoadedVocabulary; idsOf: (pieces: readonly TextPiece[]) => MaskedIds }
type MaskedIds = { ids: readonly number[]; mask?: readonly number[] }

/**
 * Message text stays text in Rolecall, while the reference turns it into control tokens. The rule applies if the text contains a
 * special token. When it is parsed as control text, the ids must equal the reference's, so nothing else differs. Ours must be the
 * reference's ids before and after the text that was typed, with fewer special tokens: those that somebody typed.
 */
export function judgeIds(ours: Outcome, expected: MaskedIds, { pieces, vocabulary, idsOf }: Context): Verdict {
  if ('error' in ours) return failed(show(ours))
  if (sameValue(ours.value, expected)) return identical
  const { addedTokens } = vocabulary.tokenizer
  const looksSpecial = pieces.some(({ text, control }) => !control && addedTokens.some(({ content }) => text.includes(content)))
  const asControl = idsOf(pieces.map((piece) => ({ ...piece, control: true })))
  if (!looksSpecial || !sameValue(asControl, expected)) return failed(`${show(ours)}, expected ${JSON.stringify(expected)}`)
  const { ids, mask } = ours.value as MaskedIds
  const special = new Set(addedTokens.map(({ id }) => id))
  const count = (list: readonly number[]) => list.filter((id) => special.has(id)).length
  const start = ids.findIndex((id, at) => id !== expected.ids[at])
  const tail = ids.toReversed().findIndex((id, at) => id !== expected.ids.at(-1 - at))
  const typed = [ids.slice(start, ids.length - tail), expected.ids.slice(start, expected.ids.length - tail)] as const
  // As text it takes more tokens than as control tokens.
  const isText = start > 0 && tail >= 0 && typed[0].length > typed[1].length && count(typed[0]) < count(typed[1])
  const isMasked =
    expected.mask === undefined || (mask?.length === ids.length && sameValue(mask.slice(0, start), expected.mask.slice(0, start)))
  return isText && isMasked
    ? { kind: 'rule', rule: 'text-stays-text' }
    : failed(`${show(ours)} does not write ${JSON.stringify(expected)} as text`)
}

export function completion(pieces: readonly Piece[]): Prompt & { kind: 'completion' } {
  return { kind: 'completion', pieces, bos: 'none', stop: [], notes: [] }
}

export function numbers(list: PyValue | undefined): number[] {
  return (list as PyValue[]).map(Number)
}
