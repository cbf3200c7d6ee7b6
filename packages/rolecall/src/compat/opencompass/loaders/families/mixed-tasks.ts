import { pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, equal, isTrue, letter, listAt, row, set, textAt } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, filterTable, fromList, mapTable } from '../table.ts'

export const superGpqa: Loader = {
  reads: 'a folder laid out as the repository m-a-p/SuperGPQA on the Hugging Face hub',
  takes: ['path', 'prompt_mode', 'discipline?', 'field?', 'subfield?', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    if (mode !== 'zero-shot') throw new BadData('only the prompt mode zero-shot is there')
    let table = splitOf(await loadFolder(data, settings.path), 'train')
    for (const key of ['discipline', 'field', 'subfield']) {
      const wanted = settings.get(key)
      if (wanted !== undefined && wanted !== null) table = filterTable(table, (entry) => equal(at(entry, key), wanted))
    }
    const intro =
      "Answer the following multiple choice question. There is only one correct answer. The last line of your response should be in the format 'Answer: $LETTER' (without quotes), where LETTER is one of A, B, C, D, E, F, G, H, I, or J."
    return mapTable(table, (entry) => {
      const options = listAt(entry, 'options').map((option, index) => `${letter(index)}) ${pyStr(option)}\n`)
      return set(entry, { infer_prompt: `${intro}\n\n${pyStr(at(entry, 'question'))}\n${options.join('')}`, prompt_mode: mode })
    })
  },
}

export const cruxEval: Loader = {
  reads: 'a folder laid out as the repository cruxeval-org/cruxeval on the Hugging Face hub',
  takes: ['path', '*'],
  load: async (data, settings) => splitOf(await loadFolder(data, settings.path), 'test'),
}

export const mrcr: Loader = {
  reads: 'a folder laid out as the repository giulio98/MRCR_v2_common on the Hugging Face hub',
  takes: ['path', 'subset', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: settings.text('subset') }), 'test')
    return fromList(
      dictsOf(table).map((entry) => {
        const question = textAt(entry, 'question')
        const prefix = /Prepend (\S+) to/.exec(question)?.[1] ?? ''
        return row({ context: at(entry, 'context'), question, gold: stringifyJson({ answer: at(listAt(entry, 'answers'), 0), prefix }) })
      }),
    )
  },
}

export const truthfulQa: Loader = {
  reads: 'a folder laid out as the repository truthful_qa on the Hugging Face hub',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path, { name: settings.name })
    const answers = ['best_answer', 'correct_answers', 'incorrect_answers']
    return Object.fromEntries(
      Object.entries(splits).map(([split, table]) => [
        split,
        mapTable(table, (entry) => {
          const gold = Object.fromEntries(answers.map((key) => [key, at(entry, key)]))
          for (const key of answers) entry.delete(key)
          return set(entry, { reference: { answers: gold, question: at(entry, 'question') } })
        }),
      ]),
    )
  },
}

/** The gold answer as JSON, whatever its type. */
export const internSandbox: Loader = {
  reads: 'a folder with {sandbox}.jsonl: data_source, prompt, ground_truth',
  takes: ['path', 'sandbox', 'local_mode?'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path, { localMode: settings.flag('local_mode') }), `${settings.text('sandbox')}.jsonl`)
    return fromList((await data.rows(path)).map((entry) => set(entry, { ground_truth: stringifyJson(at(entry, 'ground_truth')) })))
  },
}

export const openFinData: Loader = {
  reads: 'a folder with {name}.json',
  takes: ['path', 'name'],
  load: async (data, settings) => fromList(await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))),
}

export const liveReasonBench: Loader = {
  reads: 'a folder with {version}.json',
  takes: ['path', 'version?', '*'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), `${settings.text('version', 'livereasonbench-20241202')}.json`)
    const table = fromList(await data.list(path))
    return { train: table, test: table }
  },
}

export const ojBench = oneFile({
  takes: ['path', '*'],
  change: (entry) => row({ id: pyStr(at(entry, 'id')), prompt: at(entry, 'prompt') }, entry),
})

export const ifEval = oneFile({
  takes: ['path', '*'],
  change: (entry) => row({ prompt: at(entry, 'prompt'), reference: new Map(entry) }, entry),
})

/** Non-empty texts, limited to the first "samples" if set. */
export function texts(column: string, ending: string): Loader {
  return {
    reads: `a folder with {name}.${ending}: ${column}`,
    takes: ['path', 'name', 'samples?', '*'],
    async load(data, settings) {
      const table = await readTable(data, joinPath(await data.path(settings.path), `${settings.name}.${ending}`), 'json')
      const samples = settings.get('samples')
      const first = typeof samples === 'number' ? { columns: table.columns, rows: table.rows.slice(0, samples) } : table
      return filterTable(first, (entry) => isTrue(at(entry, column)))
    },
  }
}
