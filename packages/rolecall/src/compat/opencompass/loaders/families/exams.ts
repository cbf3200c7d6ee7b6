import { isList, type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, splitOf } from '../load-dataset.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import {
  at,
  dictOf,
  equal,
  get,
  integer,
  isTrue,
  letter,
  lettered,
  listAt,
  pick,
  type RowDict,
  row,
  set,
  textAt,
  textOf,
} from '../row-values.ts'
import { hubSplits } from '../simple.ts'
import { dictsOf, filterTable, fromList, mapTable, renameColumns, type Table } from '../table.ts'

type Sheet = {
  columns: readonly string[]
  /** The required number of fields per row; fields before the named ones are dropped. */
  fields: number
  /** The number of records at the top that are not rows. */
  header: number
}

async function sheet(data: Data, path: string, { columns, fields, header }: Sheet): Promise<Table> {
  const records = await data.csv(path)
  const rows: RowDict[] = records.slice(header).map((record, index) => {
    const place = `${path} › row ${index + 1}`
    if (record.length !== fields) throw new BadData(`the row has ${record.length} fields, not ${fields}`, place)
    return dictOf(new Map(columns.map((name, at) => [name, record[fields - columns.length + at]!])), place)
  })
  return fromList(rows)
}

/** Four choices, without a header. */
export const mmlu: Loader = {
  reads: 'a folder with dev/{name}_dev.csv and test/{name}_test.csv: question, four choices, letter, without a header',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const format = { columns: ['input', 'A', 'B', 'C', 'D', 'target'], fields: 6, header: 0 }
    const read = (split: string) => sheet(data, joinPath(path, split, `${settings.name}_${split}.csv`), format)
    return { dev: await read('dev'), test: await read('test') }
  },
  hub: (rows, settings) =>
    hubSplits({ dev: 'dev', test: 'test' }, async (split) =>
      fromList(
        (await rows.rows(split, settings.name)).map((entry) =>
          row({
            input: at(entry, 'question'),
            ...lettered(listAt(entry, 'choices'), 4),
            target: at('ABCD', integer(at(entry, 'answer'))),
          }),
        ),
      ),
    ),
}

export const cmmlu: Loader = {
  reads: 'a folder with dev/{name}.csv and test/{name}.csv: number, question, four choices, letter, with a header',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const format = { columns: ['question', 'A', 'B', 'C', 'D', 'answer'], fields: 7, header: 1 }
    const read = (split: string) => sheet(data, joinPath(path, split, `${settings.name}.csv`), format)
    return { dev: await read('dev'), test: await read('test') }
  },
  hub: (rows, settings) =>
    hubSplits({ dev: 'dev', test: 'test' }, async (split) => {
      const found = await rows.table(split, settings.name)
      const table = renameColumns(found, { Question: 'question', Answer: 'answer' })
      return fromList(dictsOf(table).map((entry) => pick(entry, 'question', 'A', 'B', 'C', 'D', 'answer')))
    }),
}

/** Columns by name; a split without rows is dropped. */
export const ceval: Loader = {
  reads: 'a folder with dev/{name}_dev.csv, val/{name}_val.csv and test/{name}_test.csv, each with a header',
  takes: ['path', 'name', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const splits: Record<string, Table> = {}
    for (const split of ['dev', 'val', 'test']) {
      const [header = [], ...records] = await data.csv(joinPath(path, split, `${settings.name}_${split}.csv`))
      const rows = records.map((record) => {
        const entry: RowDict = new Map(header.slice(0, record.length).map((name, at) => [name, record[at]!]))
        if (!entry.has('explanation')) entry.set('explanation', '')
        if (!entry.has('answer')) entry.set('answer', '')
        return entry
      })
      if (rows.length > 0) splits[split] = fromList(rows)
    }
    return splits
  },
  hub: (rows, settings) => hubSplits({ dev: 'dev', val: 'val', test: 'test' }, (split) => rows.table(split, settings.name)),
}

const gpqaPatterns = ['ABCD', 'BCDA', 'CDAB', 'DABC']

/** The right answer comes first in the file; each row has its choices in a different order. */
export const gpqa: Loader = {
  reads: 'a folder with the file "name", a .csv of GPQA',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), settings.name)
    const records = (await data.csv(path)).filter((record, index) => {
      if (record.length < 8) throw new BadData(`the row has ${record.length} fields`, `${path} › row ${index + 1}`)
      return record[7] !== 'Question'
    })
    return fromList(
      records.map((record, index) => {
        const choices = record.slice(8, 12)
        if (choices.length < 4) throw new BadData('the row has fewer than four choices', `${path} › row ${index + 1}`)
        const pattern = gpqaPatterns[(index + 1) % 4]!
        const ordered = [...pattern].map((choice) => choices[choice.charCodeAt(0) - 65]!)
        const [A, B, C, D] = ordered as [string, string, string, string]
        return row({ question: record[7]!, A, B, C, D, answer: letter(ordered.indexOf(choices[0]!)) })
      }),
    )
  },
}

/** AGIEval: one file for each exam, or one config of the repository. Only questions without examples are there. */
function agiEvalLoader(change: (entry: RowDict, id: number, name: string) => RowDict, hubShape: (entry: RowDict) => RowDict): Loader {
  const table = (rows: readonly RowDict[], settings: Settings) => {
    if (settings.text('setting_name') !== 'zero-shot') throw new BadData('only the setting zero-shot is there')
    return fromList(rows.map((entry, id) => change(entry, id, settings.name)))
  }
  return {
    reads: 'a folder with {name}.jsonl of AGIEval (v1)',
    takes: ['path', 'name', 'setting_name'],
    load: async (data, settings) => table(await data.rows(joinPath(await data.path(settings.path), `${settings.name}.jsonl`)), settings),
    hub: async (rows, settings) => table((await rows.rows('test', settings.name)).map(hubShape), settings),
  }
}

function labelOf(entry: RowDict): PyValue {
  return isTrue(at(entry, 'label')) ? at(entry, 'label') : at(entry, 'answer')
}

/** The label of a row on the hub is a Python literal, or a text. */
function literalLabel(entry: RowDict): RowDict {
  const label = get(entry, 'label')
  const value = typeof label === 'string' && label !== '' ? readLiteral(label) : undefined
  return value === undefined ? entry : set(entry, { label: value })
}

/** AGIEval exams: passage and question in one text, choices on separate lines. */
export const agiEval2 = agiEvalLoader((entry) => {
  const passage = at(entry, 'passage')
  const question = (isTrue(passage) ? textAt(entry, 'passage') : '') + textAt(entry, 'question')
  const given = at(entry, 'options')
  const options = isTrue(given) ? joinedLines(listAt(entry, 'options')) : ''
  const label = labelOf(entry)
  return row({ question, options, label: isList(label) ? label.map(pyStr).join('') : pyStr(label) }, entry)
}, literalLabel)

function joinedLines(lines: readonly PyValue[]): string {
  return lines.map((line) => textOf(line)).join('\n')
}

export const mmluPro: Loader = {
  reads: 'a folder laid out as the repository of MMLU-Pro on the Hugging Face hub (.parquet files of test and validation)',
  takes: ['path', 'category'],
  async load(data, settings) {
    const splits = await loadFolder(data, await data.path(settings.path))
    const category = settings.text('category')
    const read = (split: string) =>
      mapTable(
        filterTable(splitOf(splits, split), (entry) => equal(at(entry, 'category'), category)),
        (entry) => {
          const reasoning = textAt(entry, 'cot_content')
          const intro = "A: Let's think step by step."
          entry.set('cot_content', strip(reasoning.startsWith(intro) ? reasoning.slice(intro.length) : reasoning))
          const options = listAt(entry, 'options').map(pyStr)
          const shown = options.flatMap((option, index) => (option === 'N/A' ? [] : [`${letter(index)}. ${option}`]))
          const answer = shown.find((option) => option.startsWith(`${pyStr(at(entry, 'answer'))}. `))
          return set(entry, { answer_string: answer === undefined ? '' : `${answer}\n`, options_str: shown.join('\n') })
        },
      )
    return { validation: read('validation'), test: read('test') }
  },
}

const chineseExams = /^(?:logiqa-zh|jec-qa-kd|jec-qa-ca|gaokao-(?:chinese|geography|history|biology|chemistry|physics|mathqa))$/
const englishExams = /^(?:lsat-(?:ar|lr|rc)|logiqa-en|sat-math|sat-en|aqua-rat|sat-en-without-passage|gaokao-english)$/

/** AGIEval exams as one text that ends where the answer begins. */
export const agiEval = agiEvalLoader(
  (entry, id, name) => row({ id, problem_input: examText(entry, name), label: labelOf(entry) }, entry),
  (entry) => entry,
)

function examText(entry: RowDict, name: string): string {
  const passage = at(entry, 'passage') === null ? '' : textAt(entry, 'passage')
  const question = textAt(entry, 'question')
  if (name === 'math') return `${passage}Q: ${question}\nA: The answer is`
  if (name === 'gaokao-mathcloze') return `${passage}问题：${question}\n答案：`
  const options = listAt(entry, 'options').map(pyStr)
  const last = (one: number) => at('ABCDEFG', (options.length === 1 ? one : options.length) - 1) as string
  if (englishExams.test(name))
    return `${passage}Q: ${question} Answer Choices: ${options.join(' ')}\nA: Among A through ${last(5)}, the answer is`
  if (chineseExams.test(name)) return `${passage}问题：${question} 选项：${options.join(' ')}\n答案：从A到${last(4)}, 我们应选择`
  throw new BadData(`AGIEval has no exam "${name}"`)
}
