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

/** Columns of a repository on the hub; `name` is its config. */
export function lvEval(...columns: readonly string[]): Loader {
  return {
    reads: 'a folder laid out as the repository Infinigence/LVEval on the Hugging Face hub',
    takes: ['path', 'name'],
    async load(data, settings) {
      const table = splitOf(await loadFolder(data, settings.path, { name: settings.name }), 'test')
      const all = ['input', 'context', 'answers', ...columns]
      const rows = dictsOf(table).map((entry) => pick(entry, ...all))
      // The keywords of an answer are an additional accepted answer.
      for (const entry of rows)
        if (entry.has('answer_keywords')) entry.set('answers', [...listAt(entry, 'answers'), at(entry, 'answer_keywords')])
      return { test: fromList(rows) }
    },
  }
}

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

/** The letter in brackets at the start. */
export function secondCharacter(text: PyValue): PyValue {
  return at(textOf(text), 1)
}

/** Columns with their old or new names. */
function infinite(columns: Readonly<Record<string, string>>): Loader {
  return oneFile({ change: (entry) => row(Object.fromEntries(Object.entries(columns).map(([to, from]) => [to, at(entry, from)])), entry) })
}

export const infiniteContext = infinite({ context: 'context', answer: 'answer' })
export const infiniteInput = infinite({ context: 'context', input: 'input', answer: 'answer' })
export const infiniteQuestion = infinite({ context: 'context', question: 'input', answer: 'answer' })

export const infiniteChoices = oneFile({
  change(entry) {
    const options = listAt(entry, 'options')
    const answer = at(at(entry, 'answer'), 0)
    const index = options.indexOf(answer)
    if (index < 0) throw new BadData('the answer is none of the options')
    return row(
      {
        context: at(entry, 'context'),
        question: at(entry, 'input'),
        option_A: at(options, 0),
        option_B: at(options, 1),
        option_C: at(options, 2),
        option_D: at(options, 3),
        answer: at('ABCD', index),
      },
      entry,
    )
  },
})

/** The function that a question is about, and its call. */
export const infiniteCodeRun = oneFile({
  change(entry) {
    const question = textAt(entry, 'input')
    const func = /func_\d+/.exec(question)?.[0]
    const call = /func_\d+\(-?\d+\)/.exec(question)?.[0]
    if (func === undefined || call === undefined) throw new BadData('the question has no call of a function')
    return row({ context: at(entry, 'context'), func, func_call: call, answer: at(entry, 'answer') }, entry)
  },
})

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
