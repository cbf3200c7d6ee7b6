import type { ConfigSite, ModelSite } from 'rolecall/internal/server/viewer/viewer-data'
import { findNamed } from '../names.ts'
import { chosenModel, isFormat } from '../prompt/chosen-model.ts'

/** The column names in links: `left` is a model, `leftFormat` its format if not its own. */
export const columnNames = ['left', 'right', 'third', 'fourth'] as const
export type ColumnName = (typeof columnNames)[number]

/** A model in a format, to compare with others. */
export type Column = { name: ColumnName; model: ModelSite; format: string | undefined; missingModel?: string; missingFormat?: string }

type Query = Readonly<Record<string, string>>

/** The columns in a link; by default the first two models, or one model in its own and another format. */
export function columnsOf(config: ConfigSite, query: Query): Column[] {
  const models = config.models.map(({ name }) => name)
  return columnNames.flatMap((name, index): Column[] => {
    const named = query[name]
    const format = query[`${name}Format`] ?? (index === 1 && models.length === 1 ? 'chatml' : undefined)
    if (index > 1 && named === undefined && format === undefined) return []
    const model = chosenModel(config, named ?? models[Math.min(index, models.length - 1)], format)
    const missing = findNamed(models, named).missing
    return model
      ? [
          {
            name,
            model,
            format,
            ...(missing === undefined ? {} : { missingModel: missing }),
            ...(isFormat(format) ? {} : { missingFormat: format! }),
          },
        ]
      : []
  })
}

/** The link changes to add a column: the next model, or the first in a format not shown yet. */
export function withColumn(config: ConfigSite, columns: readonly Column[], formats: readonly string[]): Record<string, string | undefined> {
  const name = columnNames[columns.length]
  if (name === undefined) return {}
  const next = config.models.find(({ name: model }) => !columns.some((column) => column.model.name === model))
  if (next) return { [name]: next.name }
  return {
    [name]: config.models[0]!.name,
    [`${name}Format`]: formats.find((format) => !columns.some((column) => column.format === format)),
  }
}

/** The link changes to remove a column: those after it move up. */
export function withoutColumn(columns: readonly Column[], index: number): Record<string, string | undefined> {
  const kept = columns.filter((_, at) => at !== index)
  return Object.fromEntries(
    columnNames.flatMap((name, at) => [
      [name, kept[at]?.model.name],
      [`${name}Format`, kept[at]?.format],
    ]),
  )
}
