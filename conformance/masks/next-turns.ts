import { PromptError } from '../../src/base/errors/prompt-error.ts'
import { dictGet, dictHas, type PyDict, type PyValue } from '../../src/base/python/index.ts'
import { appendedIds } from '../../src/workbench/training/appended-ids.ts'
import { nextTurn } from '../../src/workbench/training/next-turn.ts'
import type { Verdict } from '../judge.ts'
import type { Suite } from '../suite.ts'
import { judgeIds, numbers } from './ids.ts'
import { codePoints, templateOf, traitsOf } from './references.ts'
import { failed, writeOrFail } from './spans.ts'

/** The text appended to a prompt and a sampled reply, or the reason why nothing can be appended. */
export const nextTurns: Suite = {
  name: 'masks',
  recognises: (vector) => dictHas(vector, 'new_messages') && dictHas(vector, 'prompt_ids'),
  judge(vector, folder) {
    const given = vector as PyDict
    const template = templateOf(dictGet(given, 'template'), folder)
    if (template === undefined) return { kind: 'failed', why: 'its template is not there' }
    const verdict = writeOrFail((): Verdict => {
      const [earlier, reply, next] = ['prior', 'assistant', 'new_messages'].map((key) => dictGet(given, key))
      const kwargs = dictGet(given, 'kwargs')
      const write = template.writer(dictGet(given, 'tools'), kwargs)
      const expected = dictGet(given, 'expect') as PyDict
      const chat = { earlier: earlier as PyValue[], reply: reply as PyValue, next: next as PyValue[] }
      const turn = nextTurn(chat, traitsOf(chat.reply), write, template.end(kwargs))
      if (turn.isAppended === dictGet(expected, 'declined'))
        return failed(`${JSON.stringify(turn)}, expected ${JSON.stringify(dictGet(expected, 'why'))}`)
      if (write(chat.earlier, true).text !== dictGet(given, 'prompt_text')) return failed('the prompt differs')
      if (!turn.isAppended) {
        const at = codePoints(write([...chat.earlier, chat.reply], false).text, turn.at)
        return failed(at === Number(dictGet(expected, 'first_difference')) ? undefined : `they differ at ${at}`)
      }
      const completion = numbers(dictGet(given, 'completion_ids'))
      const reference = String(numbers(dictGet(expected, 'appended_ids')))
      return judgeIds(reference, turn.pieces, String(dictGet(given, 'tokenizer')), (pieces, { tokenizer, markers }) =>
        String(appendedIds({ ...turn, pieces }, completion, tokenizer, { markers })),
      )
    })
    return verdict instanceof PromptError ? failed(verdict.message) : verdict
  },
}
