import { dictGet, dictHas, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { TextPiece } from '../../../packages/core/src/base/text/index.ts'
import { appendedIds } from '../../../packages/core/src/masks/appended-ids.ts'
import { nextTurn } from '../../../packages/core/src/masks/next-turn.ts'
import { loadVocabulary } from '../../cases/real-vocabularies.ts'
import { hasVocabularies } from '../../testing/on-demand.ts'
import { outcomeOf, sameValue, show } from '../outcome.ts'
import { type Suite, trial } from '../suite.ts'
import { failed, identical } from '../verdict.ts'
import { judgeIds, numbers, withoutVocabularies } from './ids.ts'
import { codePoints, templateOf, traitsOf } from './references.ts'

/** The text appended to a prompt and a sampled reply, or the reason why nothing can be appended. */
export const nextTurns: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'new_messages') && dictHas(vector, 'prompt_ids'),
  examine(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    if (template === undefined) return failed('the vectors lack its template')
    if (!hasVocabularies) return withoutVocabularies
    const kwargs = dictGet(given, 'kwargs')
    const write = template.writer(dictGet(given, 'tools'), kwargs)
    const expected = dictGet(given, 'expect') as PyDict
    const [earlier, reply, next] = ['prior', 'assistant', 'new_messages'].map((key) => dictGet(given, key))
    const chat = { earlier: earlier as PyValue[], reply: reply as PyValue, next: next as PyValue[] }
    const vocabulary = loadVocabulary(String(dictGet(given, 'tokenizer')))
    let pieces: readonly TextPiece[] = []
    let idsOf = (_: readonly TextPiece[]): { ids: readonly number[] } => ({ ids: [] })
    const ours = outcomeOf(() => {
      const prompt = write(chat.earlier, true).text
      const turn = nextTurn(chat, traitsOf(chat.reply), write, template.end(kwargs))
      if (!turn.isAppended) return { prompt, at: codePoints(write([...chat.earlier, chat.reply], false).text, turn.at) }
      pieces = turn.pieces
      const completion = numbers(dictGet(given, 'completion_ids'))
      idsOf = (chosen) => ({
        ids: appendedIds({ ...turn, pieces: chosen }, completion, vocabulary.tokenizer, { markers: vocabulary.markers }),
      })
      return { prompt, ...idsOf(pieces) }
    })
    const declined = dictGet(expected, 'declined') === true
    const wanted: { at?: number; ids?: number[] } = declined
      ? { at: Number(dictGet(expected, 'first_difference')) }
      : { ids: numbers(dictGet(expected, 'appended_ids')) }
    return trial(ours, (result) => {
      if ('error' in result) return failed(show(result))
      const { prompt, ...appended } = result.value as { prompt: string; at?: number; ids?: number[] }
      if (prompt !== dictGet(given, 'prompt_text')) return failed('the prompt differs')
      if (sameValue(appended, wanted)) return identical
      if (wanted.ids === undefined || appended.ids === undefined)
        return failed(`${show(result)}, expected ${JSON.stringify(dictGet(expected, 'why'))}`)
      return judgeIds({ value: { ids: appended.ids } }, { ids: wanted.ids ?? [] }, { pieces, vocabulary, idsOf })
    })
  },
}
