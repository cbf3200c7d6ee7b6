import type { ModelName } from 'rolecall/internal/evaluation/run/record/pair-name'
import { modelText } from 'rolecall/internal/evaluation/run/record/pair-name'
import { translated } from './translated.ts'

const texts = translated({ as: modelText }, { as: ({ model, format }) => (format === undefined ? model : `${model}（${format} 格式）`) })

/** A model's display name, with its format if it is not its own. Links use `modelText`, which is not translated. */
export function modelName(name: ModelName): string {
  return texts().as(name)
}
