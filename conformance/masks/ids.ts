import { type LoadedVocabulary, loadVocabulary } from '../../cases/real-vocabularies.ts'
import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { dictGet, dictHas, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import type { Piece, TextPiece } from '../../src/base/text/index.ts'
import type { Prompt } from '../../src/prompt/format/format.ts'
import { tokenize } from '../../src/prompt/tokenizer/tokenize.ts'
import { maskOf } from '../../src/workbench/training/mask.ts'
import { modelTurns } from '../../src/workbench/training/model-turns.ts'
import { hasVocabularies } from '../../testing/on-demand.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { templateOf, traitsOf } from './references.ts'
import { failed, writeOrFail } from './spans.ts'

/** The token ids of a text and which of them are trained, with published vocabularies. */
export const maskedIds: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'mask') && dictHas(vector, 'ids'),
  judge(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    if (template === undefined) return { kind: 'failed', why: 'its template is not there' }
    const [messages, tools, kwargs] = ['messages', 'tools', 'kwargs'].map((key) => dictGet(given, key))
    const written = writeOrFail(() =>
      template.render(messages as PyValue[], tools, kwargs, dictGet(given, 'add_generation_prompt') === true),
    )
    if (written instanceof PromptError) return failed(written.message)
    const spans =
      dictGet(given, 'policy') === 'generation-blocks'
        ? written.generation.map(({ start, end }) => [start, end] as const)
        : modelTurns(messages as PyValue[], traitsOf, template.writer(tools, kwargs), written, template.end(kwargs)).flatMap((turn) =>
            turn.isKnown ? [turn.span] : [],
          )
    const expected = [dictGet(given, 'ids'), dictGet(given, 'mask')].map((list) => String(numbers(list))).join(' ')
    return judgeIds(expected, written.pieces, String(dictGet(given, 'tokenizer')), (pieces, vocabulary) => {
      const { ids, tokens } = tokenize(completion(pieces), vocabulary.tokenizer, { markers: vocabulary.markers })
      return `${ids} ${maskOf(tokens, spans)}`
    })
  },
}

/**
 * Message text stays text in Rolecall, while the reference turns it into control tokens. The rule applies if the text contains a
 * special token; when Rolecall parses it as control text, the ids must equal the reference's, so nothing else differs.
 */
export function judgeIds(
  expected: string,
  pieces: readonly TextPiece[],
  tokenizer: string,
  idsOf: (pieces: readonly TextPiece[], vocabulary: LoadedVocabulary) => string,
): Verdict {
  if (!hasVocabularies) return { kind: 'later', why: 'the vocabularies are not installed' }
  const vocabulary = loadVocabulary(tokenizer)
  const ours = idsOf(pieces, vocabulary)
  if (ours === expected) return { kind: 'passed' }
  const special = vocabulary.tokenizer.addedTokens.map(({ content }) => content)
  if (pieces.some(({ text, control }) => !control && special.some((token) => text.includes(token)))) {
    const asControl = pieces.map((piece) => ({ ...piece, control: true }))
    if (idsOf(asControl, vocabulary) === expected) return { kind: 'deviation', rule: 'text-stays-text' }
  }
  return failed(`${ours}, expected ${expected}`)
}

export function completion(pieces: readonly Piece[]): Prompt & { kind: 'completion' } {
  return { kind: 'completion', pieces, bos: 'none', stop: [], notes: [] }
}

export function numbers(list: PyValue | undefined): number[] {
  return (list as PyValue[]).map(Number)
}
