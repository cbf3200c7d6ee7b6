import type { ModelName } from '../../../src/evaluation/run/record/pair-name.ts'
import { modelText } from '../../../src/evaluation/run/record/pair-name.ts'
import { words } from './words.ts'

const told = words({ as: modelText }, { as: ({ model, format }) => (format === undefined ? model : `${model}（${format} 格式）`) })

/** A model as it is shown: with the format that it was given in place of its own. Links use `modelText`, which no language changes. */
export function modelName(name: ModelName): string {
  return told().as(name)
}
