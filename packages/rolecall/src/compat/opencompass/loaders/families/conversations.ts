import { dictEntries, isDict, isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { csvFrame } from '../read/csv-frame.ts'
import { at, get, listOf, type RowDict, row, textAt, textOf } from '../row-values.ts'
import { fromList } from '../table.ts'

/** T-Eval tasks: the prompt with the gold answer, and the whole task as JSON. */
export const tEval: Loader = {
  reads: 'a folder with {name}.json: an object of tasks',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path, { localMode: true }), `${settings.name}.json`)
    const tasks = await data.json(path)
    if (!isDict(tasks)) throw new BadData('the file is not an object of tasks', path)
    const rows = dictEntries(tasks).map(([key, task]) => {
      const given = at(task, 'origin_prompt')
      const turns = typeof given === 'string' ? data.parse(given, `${path} › ${key}`) : given
      if (!isList(turns)) throw new BadData('the prompt is not a list', `${path} › ${key}`)
      return row({
        prompt: [...turns, { role: 'assistant', content: pyStr(get(task, 'ground_truth')) }],
        ground_truth: stringifyJson(task),
      })
    })
    const table = fromList(rows)
    return { test: table, train: table }
  },
}

/** Conversations of three turns; shorter ones are dropped. */
export const multiIf: Loader = {
  reads: 'a .csv file: language, and prompt, instruction_id_list and kwargs of three turns',
  takes: ['path', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const { rows } = csvFrame(await data.text(path, { newline: '' }), path, { keepText: true })
    const found: RowDict[] = []
    for (const [index, entry] of rows.entries()) {
      const place = `${path} › row ${index + 1}`
      if ([1, 2, 3].some((turn) => textAt(entry, `turn_${turn}_prompt`) === '')) continue
      const read = (key: string) => data.parse(textAt(entry, key), place)
      const reference: Record<string, PyValue> = { language: at(entry, 'language') }
      const dialogue: PyValue[] = []
      for (const turn of [1, 2, 3]) {
        const content = at(read(`turn_${turn}_prompt`), 'content')
        dialogue.push({ role: 'user', content }, { role: 'assistant', content: '' })
        reference[`turn_${turn}_instruction_id_list`] = read(`turn_${turn}_instruction_id_list`)
        reference[`turn_${turn}_kwargs`] = listOf(read(`turn_${turn}_kwargs`)).map((one) => data.parse(textOf(one), place))
        reference[`turn_${turn}_prompt`] = content
      }
      found.push(row({ dialogue, reference }))
    }
    return fromList(found)
  },
}
