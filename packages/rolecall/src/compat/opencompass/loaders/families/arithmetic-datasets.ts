import { pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import type { Loader } from '../loader.ts'
import { csvFrame } from '../read/csv-frame.ts'
import { at, rename, row, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList } from '../table.ts'

export const svamp = oneFile({
  change(entry) {
    const answer = at(entry, 'Answer')
    const whole = typeof answer === 'string' ? answer : String(Math.trunc(Number(pyStr(answer))))
    return row({ question: `${textAt(entry, 'Body')} ${textAt(entry, 'Question')}`, answer: whole }, entry)
  },
})

/** One column. */
export const hungarianMath: Loader = {
  reads: 'a .csv file with one column',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const { columns, rows } = csvFrame(await data.text(path, { newline: '' }), path)
    if (columns.length !== 1) throw new BadData(`the file has ${columns.length} columns, not 1`, path)
    return fromList(rows.map((entry) => rename(entry, columns[0]!, 'question')))
  },
}
