import { dictEntries, isDict, pyStr } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { csvFrame } from '../read/csv-frame.ts'
import { at, letter, set, textAt } from '../row-values.ts'
import { fromList, mapTable } from '../table.ts'

function choicesBelow(options: readonly string[]): string {
  return options.map((option, index) => `\n${letter(index)}. ${option}`).join('')
}

/** Four or five choices; empty ones are dropped. */
export const medbullets: Loader = {
  reads: 'a folder with medbullets.csv',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    if (mode !== 'zero-shot') throw new BadData('only the prompt mode zero-shot is there')
    const given = await data.path(settings.path)
    const path = (await data.isFolder(given)) ? joinPath(given, 'medbullets.csv') : given
    const { rows } = csvFrame(await data.text(path, { newline: '' }), path, { keepText: true })
    return fromList(
      rows.map((entry) => {
        const all = ['opa', 'opb', 'opc', 'opd', 'ope'].map((key) => textAt(entry, key))
        const options = all.at(-1) === '' ? all.slice(0, 4) : all
        const question = textAt(entry, 'question') + choicesBelow(options)
        return set(entry, {
          question,
          options,
          label: at(entry, 'answer_idx'),
          prompt_mode: mode,
          start: 'A',
          end: letter(options.length - 1),
        })
      }),
    )
  },
}

export const medmcqa: Loader = {
  reads: 'a folder laid out as the repository openlifescienceai/medmcqa on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path), 'validation')
    return mapTable(table, (entry) => {
      const options = ['opa', 'opb', 'opc', 'opd'].map((key) => pyStr(at(entry, key)))
      set(entry, {
        question: pyStr(at(entry, 'question')) + choicesBelow(options),
        subject_name: pyStr(at(entry, 'subject_name')).replaceAll('_', ' '),
      })
      return set(entry, {
        options,
        label: at('ABCD', at(entry, 'cop') as number),
        prompt_mode: settings.text('prompt_mode'),
        start: 'A',
        end: 'D',
      })
    })
  },
}

export const medXpertQa: Loader = {
  reads: 'a folder laid out as the repository TsinghuaC3I/MedXpertQA on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: 'Text' }), 'test')
    return mapTable(table, (entry) => {
      const options = at(entry, 'options')
      const count = isDict(options) ? dictEntries(options).length : 0
      return set(entry, { start: 'A', end: letter(count - 1), prompt_mode: settings.text('prompt_mode') })
    })
  },
}

/** Adds columns with names without spaces; few-shot prompts get the rows unchanged. */
export const medCalc: Loader = {
  reads: 'a folder laid out as the repository ncbi/MedCalc-Bench on the Hugging Face hub: data/test-00000-of-00001.parquet',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const table = await readTable(data, joinPath(settings.path, 'data/test-00000-of-00001.parquet'))
    if (settings.text('prompt_mode') !== 'zero-shot') return table
    return mapTable(table, (entry) => {
      for (const name of medCalcColumns) entry.set(name.toLowerCase().replaceAll(' ', '_'), at(entry, name))
      return entry
    })
  },
}

const medCalcColumns = [
  'Row Number',
  'Calculator ID',
  'Calculator Name',
  'Category',
  'Output Type',
  'Note ID',
  'Note Type',
  'Patient Note',
  'Question',
  'Relevant Entities',
  'Ground Truth Answer',
  'Lower Limit',
  'Upper Limit',
  'Ground Truth Explanation',
]
