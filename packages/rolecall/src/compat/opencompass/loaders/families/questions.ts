import type { PyValue } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { HubRows } from '../hub-rows.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, isTrue, listAt, type RowDict, row, set, textAt, textOf } from '../row-values.ts'
import { hubSplits } from '../simple.ts'
import { fromList, type Table } from '../table.ts'

/** Answers written as a Python list literal. */
function answersIn(text: string, place?: string): PyValue {
  const answers = readLiteral(text)
  if (answers === undefined) throw new BadData(`${JSON.stringify(text.slice(0, 60))} is not a Python literal`, place)
  return answers
}

/** Question and answers in two columns, the answers as a Python list literal. */
async function twoColumns(data: Data, path: string, isFirst: boolean): Promise<Table> {
  const records = await data.csv(path, { delimiter: '\t' })
  return fromList(
    records.map((record, index) => {
      const place = `${path} › row ${index + 1}`
      if (record.length !== 2) throw new BadData(`the row has ${record.length} fields, not 2`, place)
      const answers = answersIn(record[1]!, place)
      return row({ question: record[0]!, answer: isFirst ? at(answers, 0) : answers })
    }),
  )
}

/** The same columns on a hub. */
async function hubAnswers(
  rows: HubRows,
  split: string,
  { subset, isFirst = false }: { subset?: string; isFirst?: boolean },
): Promise<Table> {
  const found = await rows.rows(split, subset)
  return fromList(
    found.map((entry) => {
      const answers = answersIn(textAt(entry, 'answer'))
      return row({ question: at(entry, 'question'), answer: isFirst ? at(answers, 0) : answers })
    }),
  )
}

function twoColumnLoader(name: string, first: 'dev' | 'test', subset?: string): Loader {
  return {
    reads: `a folder with ${name}-dev.qa.csv and ${name}-test.qa.csv: question, tab, answers as a Python list`,
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      const read = (split: string) => twoColumns(data, joinPath(path, `${name}-${split}.qa.csv`), split === first)
      return { dev: await read('dev'), test: await read('test') }
    },
    hub: (rows) =>
      hubSplits({ dev: 'dev', test: 'test' }, (split) =>
        hubAnswers(rows, split, { isFirst: split === first, ...(subset === undefined ? {} : { subset }) }),
      ),
  }
}

export const naturalQuestions = twoColumnLoader('nq', 'dev')
export const triviaQa = twoColumnLoader('trivia', 'test', 'v1')

/** Training rows keep only the first answer. */
export const naturalQuestionsOpen: Loader = {
  reads: 'a folder with nq-open-validation.jsonl and nq-open-train.jsonl',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const read = async (split: string) => {
      const rows = await data.rows(joinPath(path, `nq-open-${split}.jsonl`))
      return fromList(
        rows.map((entry) =>
          row({ question: at(entry, 'question'), answer: split === 'train' ? at(at(entry, 'answer'), 0) : at(entry, 'answer') }, entry),
        ),
      )
    }
    return { validation: await read('validation'), train: await read('train') }
  },
}

export const triviaQa2: Loader = {
  reads: 'a folder with triviaqa-validation.jsonl and triviaqa-train.jsonl',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const read = async (split: string) => fromList(await data.rows(joinPath(path, `triviaqa-${split}.jsonl`)))
    return { validation: await read('validation'), train: await read('train') }
  },
  hub: async (rows) => ({ train: await rows.table('train', 'v2'), validation: await hubAnswers(rows, 'validation', { subset: 'v2' }) }),
}

/** Distinct texts in order of first appearance; OpenCompass has them in set order. */
function distinct(texts: readonly PyValue[]): PyValue[] {
  return [...new Set(texts)]
}

/** Paragraphs with questions, in SQuAD's layout. */
function squadLoader(change: (question: PyValue, context: PyValue) => RowDict | undefined): Loader {
  return {
    reads: 'a .json file laid out as SQuAD: data › paragraphs › qas',
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      const rows: RowDict[] = []
      for (const document of listAt(await data.json(path), 'data'))
        for (const paragraph of listAt(document, 'paragraphs'))
          for (const question of listAt(paragraph, 'qas')) {
            const found = change(question, at(paragraph, 'context'))
            if (found) rows.push(found)
          }
      return fromList(rows)
    },
  }
}

export const cmrc = squadLoader((question, context) =>
  row({ context, question: at(question, 'question'), answers: distinct(listAt(question, 'answers').map((answer) => at(answer, 'text'))) }),
)

/** For an unanswerable question, plausible answers and a refusal are also accepted. */
export const squad2 = squadLoader((question, context) => {
  const isImpossible = isTrue(at(question, 'is_impossible'))
  const found = distinct(listAt(question, isImpossible ? 'plausible_answers' : 'answers').map((answer) => at(answer, 'text')))
  return row({ context, question: at(question, 'question'), answers: isImpossible ? [...found, 'impossible to answer'] : found })
})

function withTexts(rows: readonly RowDict[]): Table {
  return fromList(rows.map((entry) => set(entry, { answer: distinct(listAt(entry, 'answers').map((answer) => at(answer, 'text'))) })))
}

export const tydiQa: Loader = {
  reads: 'a folder with dev/{lang}-dev.jsonl',
  takes: ['path', 'lang'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), 'dev', `${settings.text('lang')}-dev.jsonl`)
    return withTexts(await data.rows(path))
  },
  hub: async (rows, settings) => withTexts(await rows.rows('dev', settings.text('lang'))),
}

/** The file contains the prompt, and all right answers separated by a bar. */
export const dropSimple: Loader = {
  reads: 'a .jsonl file: context, ref_text',
  takes: ['path'],
  async load(data, settings) {
    const rows = await data.rows(await data.path(settings.path, { localMode: true }))
    return { validation: fromList(rows.map((entry) => row({ prompt: at(entry, 'context'), answers: at(entry, 'ref_text') }, entry))) }
  },
}

/** Options, if any, are lines below the question. */
export const liveStem: Loader = {
  reads: 'a folder with {version}.json: question, options, answer',
  takes: ['path', 'num_examples?', 'n_repeats?', 'version?', '*'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), `${settings.text('version', 'livestembench-20241227')}.json`)
    const all = (await data.list(path)).map((entry) => {
      const options = listAt(entry, 'options')
      const question =
        options.length > 0 ? [textAt(entry, 'question'), ...options.map((one) => textOf(one))].join('\n') : at(entry, 'question')
      return row({ question, answer: at(entry, 'answer') }, entry)
    })
    const [wanted, repeats] = [settings.get('num_examples'), Number(settings.get('n_repeats') ?? 1)]
    if (isTrue(wanted) && repeats !== 1) throw new BadData('"n_repeats" and "num_examples" cannot stand together')
    const asked = isTrue(wanted) ? new PythonRandom(0).sample(all, Number(wanted)) : all
    const table = fromList(Array.from({ length: repeats }, () => asked).flat())
    return { train: table, test: table }
  },
}
