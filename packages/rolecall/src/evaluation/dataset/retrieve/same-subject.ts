import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictGet, isList, pyStr } from '@rolecall/core/internal/python'
import type { Retriever } from './retriever.ts'

/** OpenCompass names it after the dataset with these subjects. */
export const subjectRetriever: Retriever = {
  name: 'XiezhiRetriever',
  does: 'The first rows that share a subject (column `labels`) with the question, by its subjects in their order. A row of two of them is there twice, as in OpenCompass.',
  options: ['ice_num'],
  example: { options: { ice_num: 2 }, shows: [0, 3] },
  open({ rows = [], where }, { ice_num: count = 1 }) {
    const bySubject = new Map<string, number[]>()
    for (const [id, row] of rows.entries())
      for (const subject of subjectsOf(row, where)) {
        const ids = bySubject.get(subject)
        if (ids) ids.push(id)
        else bySubject.set(subject, [id])
      }
    return {
      count,
      choose({ row, spare }) {
        const chosen: number[] = []
        for (const subject of row ? subjectsOf(row, where) : []) {
          if (chosen.length >= count + spare) break
          chosen.push(...(bySubject.get(subject) ?? []))
        }
        return chosen.slice(0, count + spare)
      },
    }
  },
}

function subjectsOf(row: Row, where: string): string[] {
  const subjects = dictGet(row, 'labels')
  if (isList(subjects)) return subjects.map(pyStr)
  throw new PromptError('missing-column', {
    where,
    problem: 'XiezhiRetriever compares the subjects of rows, but a row has no list "labels"',
    fix: 'give rows and rows for examples a column "labels", or choose another retriever',
  })
}
