import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at } from '../row-values.ts'
import { mapTable } from '../table.ts'

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
