import { pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, equal, isTrue, letter, listAt, row, set } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { filterTable, mapTable } from '../table.ts'

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
