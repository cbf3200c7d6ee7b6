import { PromptError } from '@rolecall/core/internal/errors'
import { compileTemplate, type JinjaTemplate } from '@rolecall/core/internal/jinja'
import type { Value } from '@rolecall/core/internal/python'
import { dictEntries, dictGet, dictHas, type PyDict, type PyValue } from '@rolecall/core/internal/python'
import { FunctionMark } from '../yaml/function-mark.ts'
import type { FindFunction, TaskFunction } from './task-function.ts'
import { taskDialect } from './template-dialect.ts'

/** A document of a task: a row after `process_docs`. */
export type Doc = PyDict

/** The source of `doc_to_text`, `description` and similar fields: a column, a template, a function, or a literal value. */
export type Field = { path: string } & (
  | { kind: 'column'; column: string }
  | { kind: 'template'; template: JinjaTemplate; source: string }
  | { kind: 'function'; run: TaskFunction }
  | { kind: 'value'; value: Value }
)

/** Compiles a field of a task file. A text that equals a column name is that column; any other text is a template. */
export function compileField(given: Value, path: string, columns: ReadonlySet<string>, find: FindFunction): Field {
  if (given instanceof FunctionMark) return { path, kind: 'function', run: find(given) }
  if (typeof given !== 'string') return { path, kind: 'value', value: given }
  if (columns.has(given)) return { path, kind: 'column', column: given }
  return { path, kind: 'template', template: compileTemplate(given, { name: path, dialect: taskDialect }), source: given }
}

/** Whether a field has the same value for every document. */
export function isConstant(field: Field): boolean {
  return field.kind === 'value' || (field.kind === 'template' && !field.source.includes('{'))
}

/** The value of a field for a document; for a template, the rendered text. */
export function fieldValue(field: Field, doc: Doc): Value {
  switch (field.kind) {
    case 'column':
      return columnOf(doc, field.column, field.path)
    case 'template':
      return field.template.render(variablesOf(doc))
    case 'function':
      return field.run.callForRow([doc as Value])
    case 'value':
      return field.value
    default:
      return field satisfies never
  }
}

function columnOf(doc: Doc, column: string, path: string): Value {
  if (dictHas(doc, column)) return (dictGet(doc, column) ?? null) as Value
  throw new PromptError('missing-field', { where: path, problem: `a document has no "${column}"`, fix: 'give every row the same columns' })
}

/** A document as template variables. */
export function variablesOf(doc: Doc): Readonly<Record<string, PyValue>> {
  return doc instanceof Map ? Object.fromEntries(dictEntries(doc)) : (doc as Record<string, PyValue>)
}
