import { type PyValue, splitSpace, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, isTrue, listAt, pick, type RowDict, row, set, textAt, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, fromList, type Table } from '../table.ts'

/** Columns of a LongBench task. */
function longBenchLoader(change: (entry: RowDict) => RowDict): Loader {
  return {
    reads: 'a folder with data/{name}.jsonl',
    takes: ['path', 'name'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      const rows = await data.rows(joinPath(path, 'data', `${settings.name}.jsonl`))
      return { test: fromList(rows.map(change)) }
    },
  }
}

export const longBench = longBenchLoader((entry) => pick(entry, 'input', 'context', 'answers'))
export const longBenchContext = longBenchLoader((entry) => pick(entry, 'context', 'answers'))
export const longBenchClasses = longBenchLoader((entry) =>
  set(pick(entry, 'input', 'context'), { all_labels: { answers: at(entry, 'answers'), all_classes: at(entry, 'all_classes') } }),
)

/** One row per instruction of a document. */
export function lEval({ length = false, answer = (text: PyValue): PyValue => text } = {}): Loader {
  return {
    reads: 'a folder laid out as the repository L4NLP/LEval on the Hugging Face hub',
    takes: ['path', 'name'],
    async load(data, settings) {
      const table = splitOf(await loadFolder(data, settings.path, { name: settings.name }), 'test')
      const rows = dictsOf(table).flatMap((entry) => {
        const outputs = listAt(entry, 'outputs')
        return listAt(entry, 'instructions').map((question, index) => {
          const output = at(outputs, index)
          return row({
            question,
            context: at(entry, 'input'),
            ...(length ? { length: splitSpace(textOf(output)).length } : {}),
            answer: answer(output),
          })
        })
      })
      return { test: fromList(rows) }
    },
  }
}

/** The position of the requested number in a list, as the question phrases it. */
export const infiniteMathFind = oneFile({
  localMode: true,
  change(entry) {
    const wanted = /The .+ of/.exec(textAt(entry, 'input'))?.[0]
    if (wanted === undefined) throw new BadData('the question names no number')
    const prefix = `What is ${wanted.toLowerCase().slice(0, -' of'.length)} in the following list?`
    return row({ prefix, context: at(entry, 'context'), answer: at(entry, 'answer') }, entry)
  },
})

function lines(texts: readonly PyValue[]): string {
  return texts.map((text) => textOf(text)).join('\n')
}

/** Reports of the United States Congress; lists of ids define the splits. */
export const governmentReports: Loader = {
  reads: 'a folder with gov-report/split_ids/crs_{train,valid,test}.ids and gov-report/crs/{id}.json',
  takes: ['path'],
  async load(data, settings) {
    const folder = joinPath(await data.path(settings.path, { localMode: true }), 'gov-report')
    const splits: Record<string, Table> = {}
    for (const split of ['train', 'valid', 'test']) {
      const rows: RowDict[] = []
      for (const id of await data.lines(joinPath(folder, 'split_ids', `crs_${split}.ids`))) {
        const report = await data.json(joinPath(folder, 'crs', `${strip(id)}.json`))
        const sections = listAt(at(report, 'reports'), 'subsections').map((section) => {
          const title = at(section, 'section_title')
          return `${isTrue(title) ? textOf(title) : ''}\n${lines(listAt(section, 'paragraphs'))}`
        })
        rows.push(row({ content: `${textAt(report, 'title')}\n${sections.join('\n')}`, summary: lines(listAt(report, 'summary')) }))
      }
      splits[split] = fromList(rows)
    }
    return splits
  },
}

export const longBench2: Loader = {
  reads: 'a .json file with a list of questions',
  takes: ['path'],
  async load(data, settings) {
    const table = await readTable(data, await data.path(settings.path), 'json')
    const asked = ['question', 'context', 'answer', 'choice_A', 'choice_B', 'choice_C', 'choice_D', 'difficulty', 'length']
    return { train: table, test: fromList(dictsOf(table).map((entry) => pick(entry, ...asked))) }
  },
}
