import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import type { DatasetConfig } from '../../../evaluation/config/config-schema.ts'
import { readText } from './read-text.ts'

/** Reads a dataset's `output_schema` if it is given as a file. */
export function withOutputSchema<Dataset extends Pick<DatasetConfig, 'abbr' | 'output_schema'>>(dataset: Dataset, folder: string): Dataset {
  const { output_schema: given } = dataset
  if (typeof given !== 'string') return dataset
  const where = `${dataset.abbr ?? 'dataset'} › output_schema`
  const file = resolve(folder, given)
  if (!existsSync(file)) {
    throw new PromptError('no-file', {
      where,
      problem: `there is no file ${file}`,
      fix: "give a path relative to the config's folder, or the schema itself",
    })
  }
  const schema = parsed(readText(file, where), file, where)
  if (typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))) {
    return { ...dataset, output_schema: schema as Exclude<DatasetConfig['output_schema'], string> }
  }
  throw new PromptError('bad-schema', {
    where,
    problem: `${file} does not contain a JSON Schema`,
    fix: 'its content must be an object of JSON Schema keywords',
  })
}

function parsed(text: string, file: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PromptError('bad-schema', { where, problem: `${file} is not JSON (${(error as Error).message})`, fix: 'correct it' })
  }
}
