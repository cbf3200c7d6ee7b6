import { dictEntries, isDict, pyStr, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { csvFrame } from '../read/csv-frame.ts'
import { at, isTrue, listAt, type RowDict, rename, row, set, textAt, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList } from '../table.ts'

export const gsmHard = oneFile({ change: (entry) => row({ question: at(entry, 'input'), answer: pyStr(at(entry, 'target')) }, entry) })

export const svamp = oneFile({
  change(entry) {
    const answer = at(entry, 'Answer')
    const whole = typeof answer === 'string' ? answer : String(Math.trunc(Number(pyStr(answer))))
    return row({ question: `${textAt(entry, 'Body')} ${textAt(entry, 'Question')}`, answer: whole }, entry)
  },
})

export const gaokaoMath = oneFile({ as: 'list', change: (entry) => set(entry, { extract_answer: pyStr(at(entry, 'extract_answer')) }) })

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

export const masterMath: Loader = {
  reads: 'a folder with the file "name", a .csv file: id, question, A, B, C, D, answer',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), settings.name)
    const rows = (await data.csv(path)).flatMap((record, index) => {
      if (record[1] === 'question') return []
      if (record.length < 7) throw new BadData('the row has too few fields', `${path} › row ${index}`)
      const [, question, A, B, C, D, answer] = record as [string, string, string, string, string, string, string]
      return [row({ question, A, B, C, D, answer })]
    })
    return fromList(rows)
  },
}

/** Questions with a numeric answer. */
export const drop: Loader = {
  reads: 'a .json file: an object of passages with qa_pairs',
  takes: ['path', 'only_number?'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const passages = await data.json(path)
    if (!isDict(passages)) throw new BadData('the file is not an object of passages', path)
    const rows: RowDict[] = []
    for (const [, one] of dictEntries(passages))
      for (const pair of listAt(one, 'qa_pairs')) {
        const answers = listAt(pair, 'validated_answers').flatMap((answer) => {
          const number = at(answer, 'number')
          if (isTrue(number)) return [number]
          return settings.flag('only_number', true) ? [] : listAt(answer, 'spans')
        })
        if (answers.length > 0)
          rows.push(row({ prompt: at(one, 'passage'), question: at(pair, 'question'), answers: [...new Set(answers)] }))
      }
    return { validation: fromList(rows) }
  },
}

/** Code with a mask, and whether the mask is max or min. */
export const maxMin: Loader = {
  reads: 'the file "test_path", a list with nl_tokens and pl_tokens, and "answer_path" with idx<CODESPLIT>max or min',
  takes: ['test_path', 'answer_path?'],
  async load(data, settings) {
    const answers = new Map<string, string>()
    if (settings.has('answer_path') && settings.get('answer_path') !== null) {
      for (const line of await data.lines(await data.path(settings.text('answer_path')))) {
        const [key, value] = strip(line).split('<CODESPLIT>')
        answers.set(key!, value === 'max' ? 'A' : 'B')
      }
    }
    const rows = await data.list(await data.path(settings.text('test_path')))
    return fromList(
      rows.map((entry) => {
        const words = (key: string) =>
          listAt(entry, key)
            .map((one) => textOf(one))
            .join(' ')
        const answer = answers.size > 0 ? answers.get(pyStr(at(entry, 'idx'))) : ''
        if (answer === undefined) throw new BadData(`there is no answer for ${pyStr(at(entry, 'idx'))}`)
        return row({ nl_tokens: words('nl_tokens'), pl_tokens: words('pl_tokens'), answer }, entry)
      }),
    )
  },
}
