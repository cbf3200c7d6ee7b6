import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, dictOf, pop, type RowDict, row, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, fromList } from '../table.ts'
import { mapped } from './plain.ts'

/** A P-MMEval file; `{lang}` and the like are settings. */
export function pmmEval(file: string, ...takes: readonly string[]): Loader {
  return oneFile({ file, takes: ['path', ...takes] })
}

export const pmmEvalMmmlu: Loader = {
  reads: 'a folder with mmmlu/{difficulty}/test/mmlu_{lang}.jsonl; the difficulty "all" is easy and hard',
  takes: ['path', 'lang', 'difficulty'],
  async load(data, settings) {
    const difficulty = settings.text('difficulty')
    if (!['easy', 'hard', 'all'].includes(difficulty)) throw new BadData('"difficulty" is none of easy, hard, all')
    const path = await data.path(settings.path)
    const rows: RowDict[] = []
    for (const one of difficulty === 'all' ? ['easy', 'hard'] : [difficulty])
      rows.push(...(await data.rows(joinPath(path, `mmmlu/${one}/test/mmlu_${settings.text('lang')}.jsonl`))))
    return fromList(rows)
  },
}

/** The name's suffix is the language. */
export const mmmluLite: Loader = {
  reads: 'a folder with {language}/test.jsonl, where "name" ends in the language',
  takes: ['path', 'name'],
  async load(data, settings) {
    const language = settings.name.slice(settings.name.lastIndexOf('_') + 1)
    const rows = await data.rows(joinPath(await data.path(settings.path), language, 'test.jsonl'))
    return { test: fromList(rows) }
  },
}

export const mmmlu: Loader = {
  reads: 'a folder laid out as the repository openai/MMMLU on the Hugging Face hub',
  takes: ['path', 'name'],
  async load(data, settings) {
    const config = settings.name.slice(settings.name.lastIndexOf('_') + 1).replace('-', '_')
    const table = splitOf(await loadFolder(data, settings.path, { name: config }), 'test')
    const rows = dictsOf(table).map((entry) => {
      const [input, A, B, C, D, target] = ['Question', 'A', 'B', 'C', 'D', 'Answer'].map((key) => at(entry, key))
      return row({ input: input!, A: A!, B: B!, C: C!, D: D!, target: target!, subject: textAt(entry, 'Subject').replaceAll('_', ' ') })
    })
    return { test: fromList(rows) }
  },
}

/** Each language of a translation is a column. */
export const iwslt = mapped((entry) => {
  for (const [language, text] of dictOf(pop(entry, 'translation'))) entry.set(language, text)
  return entry
})
