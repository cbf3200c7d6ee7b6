import { readsChats } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { nearestName, PromptError } from '@rolecall/core/internal/errors'
import { dictHas, dictKeys } from '@rolecall/core/internal/python'
import type { DatasetConfig } from '../../config/config-schema.ts'
import { goldFields, judgeFieldNames } from '../../config/judge-fields.ts'
import { choosesByRow } from '../../dataset/retrieve/choose-examples.ts'
import type { Inferencer } from './inferencer.ts'
import { fieldsOf, type NeededFields, type TemplateField, templateFields } from './template-fields.ts'

/** The first rows of a dataset, and of its example pool if that is another file; `shown` are the examples of a row. */
export type FirstRows = { asked: readonly Row[]; examples?: readonly Row[] | undefined; shown?: readonly Row[] | undefined }

/** How many rows are checked before the first request. */
export const firstRowsCount = 20

/** The columns of the first rows, and notes about fields that are not columns. */
export type FoundColumns = { columns: ReadonlySet<string>; notes: readonly Note[] }

/**
 * Looks up every column that a dataset names in its first rows. A declared column that none of them has, and a field similar to a column,
 * are errors; an input column that nothing reads is a note. Any other name in braces is sent unchanged, as documented, with a note. Under
 * `compat: opencompass` nothing is an error: the reference sends it.
 */
export function checkColumns(
  dataset: DatasetConfig,
  { asked, examples = asked }: FirstRows,
  name = dataset.abbr ?? 'dataset',
): FoundColumns {
  const columns = columnsOf(asked)
  if (dataset.compat !== undefined || asked.length === 0) return { columns, notes: [] }
  const { reader_cfg: reader = {}, eval_cfg: evaluation } = dataset
  const inputs = [reader.input_columns ?? []].flat()
  const outputs = reader.output_column ? [reader.output_column] : []
  const { tools_column: tools } = reader
  if (tools && !columns.has(tools)) throw noColumn(`${name} › reader_cfg.tools_column`, tools, columns)
  const shown = columnsOf(examples)
  for (const column of outputs)
    if (!columns.has(column) && !shown.has(column)) throw noColumn(`${name} › reader_cfg.output_column`, column, columns)
  // A row may hold the whole chat, without a template.
  const isChat = readsChats(dataset.infer_cfg.inferencer)
  const fields = isChat ? { asked: [], examples: [] } : templateFields(dataset)
  const evaluator = evaluation?.evaluator
  const compared = typeof evaluator === 'object' && 'against_column' in evaluator ? evaluator.against_column : undefined
  if (typeof compared === 'string' && !columns.has(compared)) {
    throw noColumn(`${name} › eval_cfg.evaluator.against_column`, compared, columns)
  }
  const judge = typeof evaluator === 'object' && 'prompt_template' in evaluator ? evaluator.prompt_template : undefined
  const judged = fieldsOf(judge as never, `${name} › eval_cfg.evaluator.prompt_template`)
  const { messages = [] } = (dataset.infer_cfg.prompt_template ?? {}) as { messages?: readonly { expand_column?: string }[] }
  const expanded = messages.map((message) => message.expand_column)
  const read = new Set([...[...fields.asked, ...fields.examples, ...judged].map((field) => field.name), ...expanded])
  const isRead = (column: string) => read.has(column) || isChat || choosesByRow(dataset)
  const unread = inputs.flatMap((column, index): Note[] => {
    if (columns.has(column)) return []
    const where = `${name} › reader_cfg.input_columns${Array.isArray(reader.input_columns) ? `[${index}]` : ''}`
    if (isRead(column)) throw noColumn(where, column, columns)
    return [{ code: 'unused-column', where, text: `no row has a column "${column}", and no template shows it: it is ignored` }]
  })
  return {
    columns,
    notes: [
      ...unread,
      ...unknownFields(fields.asked, columns, outputs),
      ...(examples.length > 0 ? unknownFields(fields.examples, shown, []) : []),
      ...unknownFields(judged, columns, [...judgeFieldNames(evaluator), ...goldFields, ...outputs]),
    ],
  }
}

function unknownFields(fields: readonly TemplateField[], columns: ReadonlySet<string>, others: readonly string[]): Note[] {
  return fields.flatMap((field): Note[] => {
    const { name, is, where, isDouble } = field
    if (columns.has(name) || others.includes(name)) return isDouble ? [doubleBraces(field)] : []
    if (is === 'text') return []
    const near = is !== 'field' && name.length < 4 ? undefined : nearestName(name, [...columns, ...others])
    if (near !== undefined) {
      throw new PromptError('no-column', {
        where,
        problem: `no row has a column "${name}" (they have: ${[...columns].join(', ')})`,
        fix: `did you mean {${near}}?`,
      })
    }
    if (is === 'code') return []
    const written = isDouble ? `{{${name}}}` : `{${name}}`
    return [
      {
        code: 'unknown-field',
        where,
        text: `no row has a column "${name}" (they have: ${[...columns].join(', ')}): ${written} is sent as it is`,
      },
    ]
  })
}

/** Two braces mark a field in Jinja; here the outer ones are sent. */
function doubleBraces({ name, where }: TemplateField): Note {
  return { code: 'double-braces', where, text: `{{${name}}} is filled within its outer braces, which are sent: write {${name}}` }
}

/** The fields every row must have: those that are columns, since they are declared or in the first rows. */
export function neededFields(
  dataset: DatasetConfig,
  { mode, readsChats: isChat }: Pick<Inferencer, 'mode' | 'readsChats'>,
  columns: ReadonlySet<string> | undefined,
): NeededFields | undefined {
  if (dataset.compat !== undefined || isChat) return undefined
  const { input_columns: inputs = [], output_column: output } = dataset.reader_cfg ?? {}
  const declared = new Set([inputs, output ?? []].flat())
  const needed = (fields: readonly TemplateField[], masked?: string | null) => {
    const names = new Set<string>()
    return fields.filter(({ name }) => {
      const isNeeded = name !== masked && (declared.has(name) || columns?.has(name)) && !names.has(name)
      if (isNeeded) names.add(name)
      return isNeeded
    })
  }
  const { asked, examples } = templateFields(dataset)
  return { asked: needed(asked, mode === 'gen' ? output : undefined), examples: needed(examples), seen: new WeakSet() }
}

/** Refuses a row that lacks a field: the placeholder itself would be sent. */
export function refuseRow({ asked, examples, seen }: NeededFields, row: Row, shown: readonly Row[]): void {
  for (const field of asked) if (!dictHas(row, field.name)) throw noField(field, row, 'the row')
  if (examples.length === 0) return
  for (const [index, example] of shown.entries()) {
    // Most rows share their examples.
    if (seen.has(example)) continue
    for (const field of examples) if (!dictHas(example, field.name)) throw noField(field, example, `example ${index}`)
    seen.add(example)
  }
}

function noField({ name, where }: TemplateField, row: Row, which: string): PromptError {
  const columns = [...dictKeys(row)]
  return new PromptError('missing-field', {
    where,
    problem: `${which} has no column "${name}" (it has: ${columns.join(', ')})`,
    fix: `give every row a "${name}", if need be an empty one`,
  })
}

function noColumn(where: string, name: string, columns: ReadonlySet<string>): PromptError {
  const near = nearestName(name, columns)
  return new PromptError('no-column', {
    where,
    problem: `no row has a column "${name}" (they have: ${[...columns].join(', ')})`,
    fix: near === undefined ? 'name a column that the rows have' : `did you mean "${near}"?`,
  })
}

function columnsOf(rows: readonly Row[]): Set<string> {
  return new Set(rows.flatMap((row) => [...dictKeys(row)]))
}
