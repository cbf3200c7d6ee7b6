import { Document, isCollection, isMap, isPair, isScalar, type YAMLMap } from 'yaml'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { CsvDelimiter } from '../../python/library/csv-reader.ts'
import type { RowsLook } from './rows-look.ts'

/** The input of a new config. */
export type Draft = {
  kind: 'ts' | 'yaml' | 'json'
  /** The file with the rows; without it, two sums are written inline. */
  path?: string
  /** How a CSV file is read, if not by its defaults. */
  csv?: { delimiter?: CsvDelimiter; columns?: readonly string[] }
  look: RowsLook
  models: readonly ModelConfig[]
  /** Path of the JSON Schema, for editors. */
  schema: string
}

/** A commented config that works unchanged. */
export function writeConfig(draft: Draft): string {
  switch (draft.kind) {
    case 'ts':
      return `import { defineConfig } from 'rolecall'\n\n// ${firstLine}\nexport default defineConfig(${literal(configOf(draft), '')})\n`
    case 'yaml':
      return asYaml(draft)
    case 'json':
      return `${JSON.stringify({ $schema: draft.schema, ...configOf(draft) }, null, 2)}\n`
    default:
      return draft.kind satisfies never
  }
}

const firstLine = 'See the exact prompts with `rolecall render --show-whitespace`, and run it with `rolecall run`.'

function configOf({ path, csv, look, models }: Draft) {
  return { models, datasets: [datasetOf({ path, csv, look })] }
}

/** The dataset of a draft. */
export function datasetOf({ path, csv, look }: Pick<Draft, 'path' | 'csv' | 'look'>) {
  const { rowFormat, map, inputs, gold, tools, evaluation } = look
  return {
    abbr: 'my-dataset',
    ...(path === undefined ? { rows: sums } : { path }),
    ...csv,
    ...(map && { map_columns: map }),
    ...(rowFormat && { row_format: rowFormat }),
    reader_cfg: {
      input_columns: inputs,
      ...(gold === undefined ? {} : { output_column: gold }),
      ...(tools === undefined ? {} : { tools_column: tools }),
    },
    infer_cfg: { prompt_template: templateOf(look), retriever: { type: 'ZeroRetriever' }, inferencer: { type: 'GenInferencer' } },
    ...(evaluation && { eval_cfg: evaluation }),
  }
}

const sums = [
  { question: '1+1=?', answer: '2' },
  { question: '2+2=?', answer: '4' },
]

function templateOf({ prompt, system, gold, isSaid }: RowsLook): object {
  if (prompt === undefined) return { messages: [...(system ? [{ role: 'system', content: system }] : []), { expand_column: 'messages' }] }
  const begin = system === '' ? {} : { begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: system ?? 'Answer briefly.' }] }
  return {
    template: {
      ...begin,
      round: [{ role: 'HUMAN', prompt }, ...(isSaid ? [{ role: 'BOT', prompt: `{${gold}}` }] : [])],
    },
  }
}

/** YAML comments, by key. */
const comments: Readonly<Record<string, string>> = {
  format: ' The name of a built-in format, or meta_template: { begin, round, end, reserved_roles } for your own.',
  begin: ' Models without a SYSTEM role get this as HUMAN.',
  output_column: ' The answer is never part of a generative prompt, except in examples.',
  path: ' .jsonl, .json, .csv, .tsv or .parquet',
  rows: ' or path: data.jsonl',
  columns: ' The file has no header line.',
  map_columns: ' FileColumns made from others: docs/datasets.md',
  tools_column: ' The tools that the model may call.',
  row_format: ' The format of the rows: docs/datasets.md',
  messages: ' The chat of each row, up to the expected answer.',
}

function asYaml(draft: Draft): string {
  const document = new Document(configOf(draft), { aliasDuplicateObjects: false })
  document.commentBefore = ` yaml-language-server: $schema=${draft.schema}\n ${firstLine}`
  comment(document.contents as YAMLMap, new Set())
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
}

/** Comments each key at its first occurrence; writes small entries on one line. */
function comment(node: unknown, explained: Set<string>): void {
  if (!isCollection(node)) return
  for (const item of node.items) {
    if (!isPair(item)) {
      comment(item, explained)
      continue
    }
    const key = item.key as { value: string; commentBefore?: string }
    const about = comments[key.value]
    if (about !== undefined && !explained.has(key.value)) {
      key.commentBefore = about
      explained.add(key.value)
    }
    comment(item.value, explained)
  }
  if (isMap(node) ? isSmall(node) : node.items.every((item) => isScalar(item))) node.flow = true
}

function isSmall(node: YAMLMap): boolean {
  return node.items.every(({ key, value }) => !isCollection(value) && !(key as { commentBefore?: string }).commentBefore)
}

/** A value as a TypeScript literal. */
function literal(value: unknown, indent: string): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return `[${value.map((item) => literal(item, inner)).join(', ')}]`
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return quoted(value)
  const entries = Object.entries(value).map(([key, item]) => [/^[\w$]+$/.test(key) ? key : quoted(key), item] as const)
  if (entries.every(([, item]) => typeof item !== 'object')) {
    return `{ ${entries.map(([key, item]) => `${key}: ${literal(item, inner)}`).join(', ')} }`
  }
  return `{\n${entries.map(([key, item]) => `${inner}${key}: ${literal(item, inner)},\n`).join('')}${indent}}`
}

function quoted(value: unknown): string {
  const json = JSON.stringify(value)
  return typeof value === 'string' && !json.includes("'") ? `'${json.slice(1, -1).replaceAll('\\"', '"')}'` : json
}
