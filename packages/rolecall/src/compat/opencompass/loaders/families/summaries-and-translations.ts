import { type PyValue, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, dictOf, isTrue, row } from '../row-values.ts'
import { hubSplits } from '../simple.ts'
import { fromList, type Splits } from '../table.ts'

/** Rows of at most a thousand lines whose dialogue and summary are texts. */
export const xsum: Loader = {
  reads: 'a .jsonl file: dialogue, summary',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const lines = (await data.lines(path, { errors: 'ignore' })).slice(0, 1000)
    const rows = lines.map((line, index) => dictOf(data.parse(line, `${path}:${index + 1}`), `${path}:${index + 1}`))
    const isNumber = (value: PyValue) => typeof value === 'number' && !Number.isInteger(value)
    return fromList(
      rows
        .filter((entry) => !isNumber(at(entry, 'dialogue')) && !isNumber(at(entry, 'summary')))
        .map((entry) => row({ dialogue: at(entry, 'dialogue'), summary: at(entry, 'summary') }, entry)),
    )
  },
  async hub(rows) {
    const first = (await rows.rows('validation')).slice(0, 1000)
    return fromList(
      first
        .filter((entry) => isTrue(at(entry, 'document')) && isTrue(at(entry, 'summary')))
        .map((entry) => row({ dialogue: at(entry, 'document'), summary: at(entry, 'summary') })),
    )
  },
}

/** Two files with one text per line; the shorter file determines the number of rows. */
export const lcsts: Loader = {
  reads: 'a folder with test.src.txt and test.tgt.txt',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const [contents, summaries] = [await data.lines(joinPath(path, 'test.src.txt')), await data.lines(joinPath(path, 'test.tgt.txt'))]
    return fromList(
      contents.slice(0, summaries.length).map((content, index) => row({ content: strip(content), abst: strip(summaries[index]!) })),
    )
  },
  hub: async (rows) => fromList((await rows.rows('test')).map((entry) => row({ content: at(entry, 'text'), abst: at(entry, 'summary') }))),
}

/** Parallel sentences of two languages. */
async function pairs(name: string, sentences: (split: string, language: string) => Promise<readonly PyValue[]>): Promise<Splits> {
  const [from, to, ...others] = name.split('-')
  if (from === undefined || to === undefined || others.length > 0) throw new BadData('"name" is not two languages with a hyphen between')
  return hubSplits({ dev: 'dev', devtest: 'devtest' }, async (split) => {
    const [a, b] = [await sentences(split, from), await sentences(split, to)]
    if (a.length !== b.length) throw new BadData(`${from} has ${a.length} lines, ${to} ${b.length}`, split)
    return fromList(a.map((line, index) => row({ [`sentence_${from}`]: line, [`sentence_${to}`]: b[index]! })))
  })
}

/** Line by line. */
export const flores: Loader = {
  reads: 'a folder with dev/{language}.dev and devtest/{language}.devtest; "name" is two languages with a hyphen between',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    return pairs(settings.name, async (split, language) =>
      (await data.lines(joinPath(path, split, `${language}.${split}`))).map((line) => strip(line)),
    )
  },
  hub: (rows, settings) =>
    pairs(settings.name, async (split, language) => (await rows.rows(split, language)).map((entry) => at(entry, 'sentence'))),
}
