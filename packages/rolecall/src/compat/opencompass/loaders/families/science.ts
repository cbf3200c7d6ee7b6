import { isList, strip } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, dictOf, equal, get, isTrue, listOf, type RowDict, row, textOf } from '../row-values.ts'
import { dictsOf, fromList, type Table } from '../table.ts'

type Reasoner = {
  /** The folder in `path`; `{task}` is the setting. */
  folder?: string
  /** How many rows of dev/data.json are examples. */
  examples?: number
  /** The size of a mini set, and its random seed. */
  mini?: { size: number; seed: number; isStrict?: boolean }
  change?: (entry: RowDict) => RowDict
  takes?: readonly string[]
}

/** A SciReasoner task: the first rows of dev/data.json and all of test/data.json. */
function reasoner({
  folder = '{task}',
  examples = 5,
  mini = { size: 150, seed: 1024 },
  change,
  takes = ['path', 'task'],
}: Reasoner = {}): Loader {
  return {
    reads: `a folder with ${folder}/dev/data.json and ${folder}/test/data.json: input, output`,
    takes: [...takes, 'mini_set?'],
    async load(data, settings) {
      const path = joinPath(
        await data.path(settings.path),
        folder.replace('{task}', () => settings.text('task')),
      )
      const read = async (split: string): Promise<RowDict[]> => {
        const file = joinPath(path, split, 'data.json')
        const content = await data.json(file)
        if (!isList(content)) throw new BadData('the file is not a list', file)
        return content.map((entry, index) => dictOf(entry, `${file} › ${index}`))
      }
      const train = (await read('dev')).slice(0, examples)
      let test = await read('test')
      if (settings.flag('mini_set')) {
        if (test.length < mini.size && mini.isStrict) throw new BadData(`a mini set has ${mini.size} rows, and there are ${test.length}`)
        test = new PythonRandom(mini.seed).sample(test, Math.min(mini.size, test.length))
      }
      const table = (rows: RowDict[]): Table => fromList(change ? rows.map(change) : rows)
      return { train: table(train), test: table(test) }
    },
  }
}
export const chemistry = reasoner()

/** Questions with four inline choices; other questions, and those outside the requested category, are dropped. */
export const sciEval: Loader = {
  reads: 'a folder laid out as the repository OpenDFM/SciEval on the Hugging Face hub',
  takes: ['path', 'name', 'category?', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: settings.name }), 'test')
    const category = settings.get('category') ?? null
    const rows = dictsOf(table).flatMap((entry): RowDict[] => {
      if (!equal(get(entry, 'type'), 'multiple-choice') || (category !== null && !equal(get(entry, 'category'), category))) return []
      const given = [get(entry, 'answer'), get(entry, 'answers')].find(isTrue)
      const parts = given === undefined ? null : fourChoices.exec(textOf(get(entry, 'question', '')))
      if (parts === null) return []
      const [input, A, B, C, D] = parts.slice(1).map((part) => strip(part)) as [string, string, string, string, string]
      return [row({ input, A, B, C, D, target: typeof given === 'string' ? at(given, 0) : listOf(given)[0]! })]
    })
    return { test: fromList(rows) }
  },
}

const fourChoices = /^(.*?)A\.\s*(.*?)\s*B\.\s*(.*?)\s*C\.\s*(.*?)\s*D\.\s*(.*?)Answer:/su
