import { dictEntries, dictFromEntries, dictGet, isDict, isList } from '@rolecall/core/internal/python'
import type { RowFormat } from './row-format.ts'

/** SQuAD: `answers: { text: […], answer_start: […] }`. */
export const squadRows: RowFormat = {
  does: 'SQuAD’s rows, `answers: { text: […] }`: every text counts as right; a question without an answer has the empty text',
  columns: ['answers'],
  read(row) {
    const answers = dictGet(row, 'answers')
    const texts = isDict(answers) ? dictGet(answers, 'text') : undefined
    if (!isList(texts))
      return { problem: '`answers.text` is not a list', fix: 'write "answers": { "text": ["…"] }, or leave out row_format' }
    const own = dictEntries(row).filter(([name]) => name !== 'answers')
    return dictFromEntries([...own, ['answers', texts.length === 0 ? [''] : texts]])
  },
}
