import { dictEntries, isDict, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { csvFrame, isNaNumber } from '../read/csv-frame.ts'
import { at, lettered, listAt, listOf, pick, type RowDict, row, set, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { fromList, mapTable, type Table } from '../table.ts'
import { circularRows, numberedChoices } from './circular.ts'
import { clozeRow } from './math.ts'

/** A question followed by its choices. */
function withChoices(entry: RowDict): RowDict {
  return set(entry, { question: `${strip(textAt(entry, 'question'))}\n${numberedChoices(listAt(entry, 'options'), pyStr)}` })
}

/** If the choices belong to the prompt, they are appended to the question. */
export const kaoshi: Loader = oneFile({
  takes: ['path', 'name'],
  reads: 'a .jsonl file: question, options, answer',
  localMode: true,
  change: (entry, _, settings) => (['single_choice', 'multi_choice'].includes(settings.name) ? withChoices(entry) : entry),
})

/** By name: fill-in, four orders of the choices, or single choice. */
export const compassBenchObjective: Loader = oneFile({
  takes: ['path', 'name'],
  reads: 'a .jsonl file: question, options, answer',
  localMode: true,
  errors: 'ignore',
  change(entry, id, { name }) {
    if (name.includes('cloze')) return clozeRow(entry)
    if (name.includes('circular')) return circularRows(entry, id, (options) => numberedChoices(options, pyStr))
    return withChoices(entry)
  },
})

/** Choices of more than one character, on separate lines. */
function optionLines(option: PyValue): string {
  if (!isDict(option)) throw new BadData('"option" is not an object')
  return dictEntries(option)
    .filter(([, text]) => [...listOf(text)].length > 1)
    .map(([name, text]) => `${name}. ${pyStr(text)}`)
    .join('\n')
}

/** The answers of the test rows are unpublished: they are NULL. */
export const cmb: Loader = {
  reads: 'a folder with val.json and test.json',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const read = async (split: string, more: Record<string, PyValue>) => {
      const rows = await data.list(joinPath(path, `${split}.json`))
      return fromList(rows.map((entry) => set(entry, { option_str: optionLines(at(entry, 'option')), ...more })))
    }
    return { val: await read('val', {}), test: await read('test', { answer: 'NULL' }) }
  },
}

/** Four choices on lines, and subjects from the finest to the coarsest. Questions with other numbers of choices are dropped. */
async function xiezhiRows(data: Data, path: string, subjects: 'labels' | 'label'): Promise<Table> {
  const rows = (await data.rows(path)).flatMap((entry) => {
    const text = textAt(entry, 'options')
    const options = (text.endsWith('"\n') ? text.slice(0, -2) : text).split('\n')
    if (options.length !== 4) return []
    const answer = options.indexOf(at(entry, 'answer') as string)
    if (answer < 0) throw new BadData(`the answer ${pyStr(at(entry, 'answer'))} is none of the choices`)
    const labels = [...listAt(entry, subjects)].sort((a, b) => [...listOf(b)].length - [...listOf(a)].length)
    return [row({ question: at(entry, 'question'), ...lettered(options, 4), labels, answer: at('ABCD', answer) }, entry)]
  })
  return fromList(rows)
}

export const xiezhi: Loader = {
  reads: 'a folder with {name}/xiezhi.v1.json, and xiezhi_train_chn/xiezhi.v1.json or xiezhi_train_eng/xiezhi.v1.json',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const isChinese = settings.name.includes('chn')
    const read = (folder: string) => xiezhiRows(data, joinPath(path, folder, 'xiezhi.v1.json'), isChinese ? 'labels' : 'label')
    return { train: await read(isChinese ? 'xiezhi_train_chn' : 'xiezhi_train_eng'), test: await read(settings.name) }
  },
}

export const lawBench: Loader = {
  reads: 'a folder with {index}.json',
  takes: ['path', 'index'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    return fromList(await data.list(joinPath(path, `${settings.text('index')}.json`)))
  },
}

export const chemBench: Loader = {
  reads: 'a folder with dev/{name}_benchmark.json and test/{name}_benchmark.json',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const read = async (split: string) => {
      const rows = await data.list(joinPath(path, split, `${settings.name}_benchmark.json`))
      return fromList(
        rows.map((entry) => {
          const { A, B, C, D } = Object.fromEntries(pick(entry, 'A', 'B', 'C', 'D')) as Record<'A' | 'B' | 'C' | 'D', PyValue>
          return row({ input: at(entry, 'question'), A, B, C, D, target: at(entry, 'answer') }, entry)
        }),
      )
    }
    return { dev: await read('dev'), test: await read('test') }
  },
}

/** Choices on separate lines, with new letters. */
function medicalRow(entry: RowDict, mode: string): RowDict {
  const options = strip(textAt(entry, 'Choices'))
    .split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/)
    .map((line) => strip(line))
    .filter((line) => line !== '')
    .map((line) => line.replace(/^[A-Z]\.\s*/, ''))
  const letters = options.map((option, index) => `${String.fromCharCode(65 + index)}. ${option}`)
  return set(entry, {
    options,
    question: `${pyStr(at(entry, 'Question'))}\n${letters.join('\n')}`,
    label: at(entry, 'Answer'),
    prompt_mode: mode,
    start: 'A',
    end: String.fromCharCode(64 + options.length),
  })
}

export const nejmAi: Loader = {
  reads: 'a .csv file: Question, Choices, Answer, Subject',
  takes: ['path', 'prompt_mode?', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const { columns, rows } = csvFrame(await data.text(path, { newline: '' }), path)
    const filled = rows.map((entry) => new Map(columns.map((name) => [name, isNaNumber(entry.get(name)) ? '' : entry.get(name)!])))
    const table = fromList(filled)
    const mode = settings.text('prompt_mode', 'zero-shot')
    return mode === 'zero-shot' ? mapTable(table, (entry) => medicalRow(entry, mode)) : table
  },
}

/** Four choices; the gold index counts from 1, and 0 is the last choice, as in Python. */
export const quality: Loader = oneFile({
  reads: 'a .jsonl file of QuALITY: article, questions',
  localMode: true,
  change: (entry) =>
    listAt(entry, 'questions').map((question) => {
      const gold = at(question, 'gold_label')
      if (typeof gold !== 'number') throw new BadData(`the label ${pyStr(gold)} is not a number`)
      return row(
        {
          article: at(entry, 'article'),
          question: at(question, 'question'),
          ...lettered(listAt(question, 'options'), 4),
          gold_label: at('ABCD', gold - 1),
          difficult: at(question, 'difficult'),
        },
        entry,
      )
    }),
})
