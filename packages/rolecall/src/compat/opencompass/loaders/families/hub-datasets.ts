import { dictEntries, dictFromEntries, isDict, pyStr, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader, Settings } from '../loader.ts'
import { at, get, letter, listAt, type RowDict, set, textAt } from '../row-values.ts'
import { concatenate, dictsOf, fromList, mapTable, renameColumns, type Splits, type Table } from '../table.ts'

// Classes that call `load_dataset` with the name of a repository.

const layout = (repository: string) => `a folder laid out as the repository ${repository} on the Hugging Face hub`

/** One split of a repository, mapped row by row to new rows: `Dataset.from_list`. */
function fromSplit(
  repository: string,
  split: string,
  change: (row: RowDict, settings: Settings) => RowDict | undefined,
  { takes = ['path'], config }: { takes?: readonly string[]; config?: string } = {},
): Loader {
  return {
    reads: layout(repository),
    takes,
    async load(data, settings) {
      const rows = dictsOf(splitOf(await loadFolder(data, settings.path, { name: config }), split))
      return fromList(rows.flatMap((row) => change(row, settings) ?? []))
    },
  }
}

/** The rows of one split as they are. */
function asItIs(repository: string, split: string): Loader {
  return {
    reads: layout(repository),
    takes: ['path'],
    load: async (data, settings) => splitOf(await loadFolder(data, settings.path), split),
  }
}

const choiceColumns = ['Question', 'A', 'B', 'C', 'D', 'Answer']

export const mmluCf: Loader = {
  reads: layout('microsoft/MMLU-CF'),
  takes: ['path', 'name'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path)
    const subset = (part: string) =>
      mapTable(splitOf(splits, `${settings.name}_${part}`), (row) => {
        for (const column of choiceColumns) at(row, column)
        return set(row, { input: at(row, 'Question'), target: at(row, 'Answer') })
      })
    // Every split must have the columns.
    for (const table of Object.values(splits)) for (const row of dictsOf(table)) for (const column of choiceColumns) at(row, column)
    return { dev: subset('dev'), test: subset('val') }
  },
}

/** `load_dataset` with the config's arguments, then a change of each row. */
function mappedHub(change: (row: RowDict) => RowDict, without: readonly string[] = []): Loader {
  return {
    reads: 'a folder laid out as on the Hugging Face hub',
    takes: ['path', '*'],
    async load(data, settings) {
      const splits = await loadFolder(data, settings.path, { name: settings.has('name') ? settings.text('name') : undefined })
      const mapped = Object.entries(splits).map(([split, table]) => [split, removeColumns(mapTable(table, change), without)] as const)
      const split = settings.get('split')
      return typeof split === 'string' ? splitOf(Object.fromEntries(mapped), split) : (Object.fromEntries(mapped) as Splits)
    },
  }
}

function removeColumns(table: Table, names: readonly string[]): Table {
  const missing = names.find((name) => !table.columns.includes(name))
  if (missing !== undefined) throw new BadData(`there is no column "${missing}"`)
  const columns = table.columns.filter((name) => !names.includes(name))
  return { columns, rows: dictsOf(table).map((row) => dictFromEntries(columns.map((name) => [name, row.get(name)!]))) }
}

export const winograd = mappedHub(
  (row) => {
    const text = at(row, 'text')
    row.delete('text')
    return set(row, { prompt: text, opt1: at(at(row, 'options'), 0), opt2: at(at(row, 'options'), 1) })
  },
  ['options', 'source'],
)

const wnliLabels = new Map<unknown, string | number>([
  [1, 'A'],
  [0, 'B'],
  [-1, -1],
])

export const wnli = mappedHub((row) => {
  const label = wnliLabels.get(at(row, 'label'))
  if (label === undefined) throw new BadData('the label is neither 0, 1 nor -1')
  return set(row, { label_option: label })
})

export const buySideFinBench: Loader = {
  reads: layout('cindy90/BuySideFinBench'),
  takes: ['path', 'name'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path || 'cindy90/BuySideFinBench', { name: settings.name })
    return { dev: splitOf(splits, 'dev'), test: splitOf(splits, 'test') }
  },
}

/** The validation splits of several configs, one after the other. */
function joinedConfigs(repository: string, configs: readonly string[]): Loader {
  return {
    reads: layout(repository),
    takes: ['path', '*'],
    async load(data, settings) {
      const tables: Table[] = []
      for (const name of configs) tables.push(splitOf(await loadFolder(data, settings.path, { name }), 'validation'))
      return concatenate(tables)
    },
  }
}

const translated = ['et', 'ht', 'it', 'id', 'sw', 'zh', 'ta', 'th', 'tr', 'vi']
export const xcopa = joinedConfigs('xcopa', [
  ...translated.slice(0, 4),
  'qu',
  ...translated.slice(4),
  ...translated.map((language) => `translation-${language}`),
])

const languages =
  'oromo french amharic arabic azerbaijani bengali burmese chinese_simplified chinese_traditional welsh english kirundi gujarati hausa hindi igbo indonesian japanese korean kyrgyz marathi spanish scottish_gaelic nepali pashto persian pidgin portuguese punjabi russian serbian_cyrillic serbian_latin sinhala somali swahili tamil telugu thai tigrinya turkish ukrainian urdu uzbek vietnamese yoruba'
export const xlsum = joinedConfigs('csebuetnlp/xlsum', languages.split(' '))

export const medQa = fromSplit('GBaker/MedQA-USMLE-4-options', 'train', (row) => {
  const options = at(row, 'options')
  if (!isDict(options)) throw new BadData('"options" is not an object')
  const choices = dictEntries(options).map(([name, text]) => {
    if (typeof text !== 'string') throw new BadData(`option ${name} is not a text`)
    return `${name}. ${text}\n`
  })
  return set(row, { label: at(row, 'answer_idx'), choices: choices.join('') })
})

export const pubMedQa = fromSplit(
  'qiaojin/PubMedQA',
  'train',
  (row) => {
    const decision = at(row, 'final_decision')
    return set(row, {
      question: `CONTEXTS: ${pyStr(at(row, 'context'))}\nQUESTION: ${pyStr(at(row, 'question'))}`,
      choices: 'A. yes\nB. no\nC. maybe',
      label: decision === 'yes' ? 'A. yes' : decision === 'no' ? 'B. no' : 'C. maybe',
    })
  },
  { config: 'pqa_labeled' },
)

export const scienceQa = fromSplit('derek-thomas/ScienceQA', 'test', (row) => {
  if (at(row, 'image') !== null) return undefined
  const [choices, answer] = [listAt(row, 'choices'), at(row, 'answer')]
  if (typeof answer !== 'number') throw new BadData('"answer" is not a number')
  const shown = choices.map((choice, index) => `${letter(index)}. ${choice as string}\n`)
  return set(row, { label: `${letter(answer)}. ${at(choices, answer) as string}`, choices: shown.join('') })
})

export const processBench: Loader = {
  reads: layout('Qwen/ProcessBench'),
  takes: ['path', 'subset', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path), settings.text('subset'))
    return fromList(
      dictsOf(table).map((row) => {
        const steps = listAt(row, 'steps').map((step, index) => `<paragraph_${index}>\n${pyStr(step)}\n</paragraph_${index}>\n\n`)
        return new Map([
          ['problem', at(row, 'problem')],
          ['tagged_response', strip(steps.join(''))],
          ['label', at(row, 'label')],
        ])
      }),
    )
  },
}

export const clinicBench = asItIs('xidongw/ClinicBench', 'train')

export const beyondAime: Loader = {
  reads: layout('ByteDance-Seed/BeyondAIME'),
  takes: ['path', '*'],
  load: async (data, settings) => renameColumns(splitOf(await loadFolder(data, settings.path), 'test'), { problem: 'question' }),
}

export const s3Eval = fromSplit(
  'FangyuLei/s3eval',
  'test',
  (row) =>
    new Map([
      ['input', at(row, 'input')],
      ['output', at(row, 'output')],
    ]),
)

/** Of 1,362 puzzles, OpenCompass takes five. */
export const game24: Loader = {
  reads: 'a .csv file with the column Puzzles, or a folder laid out as on the Hugging Face hub',
  takes: ['path'],
  async load(data, settings) {
    const isFile = /^(?:\/|\.\/|\.\.\/)/.test(settings.path)
    const table = isFile
      ? await readTable(data, await data.path(settings.path, { localMode: true }), 'csv')
      : splitOf(await loadFolder(data, settings.path), 'train')
    const puzzles = dictsOf(table).map((row) => at(row, 'Puzzles'))
    if (!table.columns.includes('Puzzles')) throw new BadData('there is no column "Puzzles"')
    return fromList(
      puzzles.slice(900, 905).map(
        (puzzle) =>
          new Map([
            ['input', puzzle],
            ['output', puzzle],
          ]),
      ),
    )
  },
}

export const sciKnowEval: Loader = {
  reads: 'a folder with data/SUBSET/sciknoweval_SUBSET_test.jsonl, as on the Hugging Face hub',
  takes: ['path', 'prompt_mode', 'subset', '*'],
  async load(data, settings) {
    const [subset, mode] = [settings.text('subset'), settings.text('prompt_mode')]
    const file = `data/${subset.slice(0, 1).toUpperCase()}${subset.slice(1)}/sciknoweval_${subset}_test.jsonl`
    const table = await readTable(data, joinPath(await data.repository(settings.path), file), 'json')
    if (mode !== 'zero-shot') return table
    return mapTable(table, (row) => {
      const choices = at(row, 'choices')
      const texts = listAt(choices, 'text')
      const options = listAt(choices, 'label')
        .slice(0, texts.length)
        .map((label, index) => `${pyStr(label)}. ${pyStr(texts[index]!)}`)
      const head = `You are an expert in ${subset}.\n${textAt(at(row, 'prompt'), 'default')}\n${textAt(row, 'question')}\n`
      return set(row, { q4: head + options.join('\n'), prompt_mode: mode })
    })
  },
}

export const cardBiomedBench: Loader = {
  reads: 'a folder with data/CARDBiomedBench.csv, as on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    const table = await readTable(data, joinPath(await data.repository(settings.path), 'data/CARDBiomedBench.csv'), 'csv')
    if (mode !== 'zero-shot') return table
    // There are no choices, so the last letter is the character before "A".
    return mapTable(table, (row) => set(row, { expert: at(row, 'Bio_Category'), start: 'A', end: '@', prompt_mode: mode }))
  },
}

export const clBench: Loader = {
  reads: layout('tencent/CL-bench'),
  takes: ['path?', 'split?', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.text('path', 'tencent/CL-bench')), settings.text('split', 'train'))
    return mapTable(table, (row) => {
      const metadata = get(row, 'metadata') ?? dictFromEntries([])
      const either = (key: string) => {
        const own = get(row, key)
        return own === null || own === '' ? get(metadata, key) : own
      }
      return set(row, { rubrics_text: rubricsText(row), task_id: either('task_id'), context_category: either('context_category') })
    })
  },
}

function rubricsText(row: RowDict): string {
  const rubrics = get(row, 'rubrics')
  const lines = (rubrics === null ? [] : listAt(row, 'rubrics')).flatMap((rubric, index) => {
    const text = strip(pyStr(isDict(rubric) ? get(rubric, 'rubric_criteria', '') : rubric))
    return text === '' ? [] : [`${index + 1}. ${text}`]
  })
  return lines.length > 0 ? lines.join('\n') : 'No specific rubrics provided.'
}

export const atlas: Loader = {
  reads: layout('opencompass/ATLAS'),
  takes: ['split?'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, 'opencompass/ATLAS'), settings.text('split', 'val'))
    return fromList(
      dictsOf(table).map(
        (row) =>
          new Map([
            ['problem', pyStr(at(row, 'question'))],
            ['answer', pyStr(get(row, 'refined_standard_answer', ''))],
          ]),
      ),
    )
  },
}
