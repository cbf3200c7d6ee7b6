import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Raised when a field is removed, renamed or changes its meaning; new optional fields keep it. */
export const outputVersion = 1

type JsonSchema = { [key: string]: unknown }

/** What programs read: a type of the source, and where its values are found. */
export const outputs = [
  {
    name: 'run-summary',
    file: 'packages/rolecall/src/evaluation/run/record/run-record.ts',
    type: 'RunSummary',
    title: 'The summary of a run: `rolecall run --json`, `score --json`, `merge --json` and `summary/summary.json`',
  },
  {
    name: 'pair-result',
    file: 'packages/rolecall/src/evaluation/run/record/run-record.ts',
    type: 'PairResult',
    title: 'One model on one dataset: an entry of `results` of the summary, and `results/<model>/<dataset>.json`',
  },
  {
    name: 'row-record',
    file: 'packages/rolecall/src/evaluation/run/record/run-record.ts',
    type: 'RowRecord',
    title: 'The record of a row: a line of `predictions/<model>/<dataset>.jsonl`',
  },
  {
    name: 'annotation',
    file: 'packages/rolecall/src/evaluation/run/record/annotation.ts',
    type: 'AnnotationLine',
    title: 'What a reviewer noted on a row: a line of `annotations.jsonl`',
  },
  {
    name: 'run-event',
    file: 'packages/rolecall/src/cli/run/event-log.ts',
    type: 'RunLogEvent',
    title: 'A line of `run --events`, by its `event`',
  },
  {
    name: 'json-error',
    file: 'packages/rolecall/src/cli/print-json.ts',
    type: 'JsonFailure',
    title: 'Why a command with `--json` ends with an exit code other than 0: `error` of what it prints',
  },
] as const

type Output = (typeof outputs)[number]

let program: ts.Program | undefined

/** The JSON Schema of an output, read from the TypeScript type with its comments. */
export function outputSchema({ name, file, type, title }: Output): JsonSchema {
  const root = fileURLToPath(new URL('../', import.meta.url))
  program ??= ts.createProgram([...new Set(outputs.map((one) => `${root}${one.file}`))], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noLib: false,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  })
  const source = program.getSourceFile(`${root}${file}`)!
  const checker = program.getTypeChecker()
  const declared = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).find((symbol) => symbol.name === type)!
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `rolecall:${name}:${outputVersion}`,
    title,
    ...schemaOf(checker.getDeclaredTypeOfSymbol(declared), checker, source),
  }
}

/** Values of rows and details are any JSON. */
const anyValue = new Set(['PyValue', 'PyDict', 'PyFloat'])

function schemaOf(type: ts.Type, checker: ts.TypeChecker, at: ts.Node): JsonSchema {
  const alias = type.aliasSymbol?.name ?? type.symbol?.name
  if (alias !== undefined && anyValue.has(alias)) return {}
  if (type.isUnion()) return unionOf(type, checker, at)
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
  const { flags } = type
  if (flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
  if (flags & ts.TypeFlags.String) return { type: 'string' }
  if (flags & ts.TypeFlags.Number) return { type: 'number' }
  if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
  if (flags & ts.TypeFlags.Null) return { type: 'null' }
  if (checker.isTupleType(type))
    return { type: 'array', items: checker.getTypeArguments(type as ts.TypeReference).map((one) => schemaOf(one, checker, at)) }
  if (checker.isArrayType(type))
    return { type: 'array', items: schemaOf(checker.getTypeArguments(type as ts.TypeReference)[0]!, checker, at) }
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  if (index) return { type: 'object', additionalProperties: schemaOf(index, checker, at) }
  if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type, checker, at)
  throw new Error(`no JSON Schema for ${checker.typeToString(type)}`)
}

function unionOf(type: ts.UnionType, checker: ts.TypeChecker, at: ts.Node): JsonSchema {
  const members = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
  // The members of `PyValue | undefined`, which has no name.
  if (members.some(({ flags }) => flags & ts.TypeFlags.BigInt)) return {}
  if (members.some((one) => Object.keys(schemaOf(one, checker, at)).length === 0)) return {}
  const literals = members.filter((one) => one.isStringLiteral() || one.isNumberLiteral())
  if (literals.length === members.length) return { enum: literals.map(({ value }) => value) }
  const schemas = members.map((one) => schemaOf(one, checker, at))
  const isBoolean = schemas.length === 2 && schemas.every((one) => typeof one.const === 'boolean')
  if (isBoolean) return { type: 'boolean' }
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

function objectOf(type: ts.Type, checker: ts.TypeChecker, at: ts.Node): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const symbol of checker.getPropertiesOfType(type)) {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim()
    properties[symbol.name] = {
      ...(description === '' ? {} : { description }),
      ...schemaOf(checker.getTypeOfSymbolAtLocation(symbol, at), checker, at),
    }
    if (!(symbol.flags & ts.SymbolFlags.Optional)) required.push(symbol.name)
  }
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false }
}

/** The fields of all outputs, as tables. */
export function outputTables(): string {
  return outputs.map((output) => `### ${output.name}\n\n${output.title}.\n\n${tablesOf(outputSchema(output))}`).join('\n\n')
}

/** One table, or one for each member of a union. */
function tablesOf(schema: JsonSchema): string {
  return ((schema.anyOf as JsonSchema[] | undefined) ?? [schema]).map(fieldTable).join('\n\n')
}

function fieldTable(schema: JsonSchema): string {
  const rows = fieldsOf(schema, '').map(({ path, type, description }) => `| \`${path}\` | ${type} | ${description} |`)
  return ['| field | type | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

type Field = { path: string; type: string; description: string }

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  return Object.entries((schema.properties as Record<string, JsonSchema> | undefined) ?? {}).flatMap(([name, one]): Field[] => {
    const path = `${prefix}${name}`
    const field = {
      path: required.has(name) ? path : `${path}?`,
      type: typeText(one),
      description: ((one.description as string | undefined) ?? '').replaceAll('|', '\\|'),
    }
    // The entries of `results` have a table of their own.
    if (path === 'results') return [field]
    const inner = one.type === 'array' ? (one.items as JsonSchema) : one
    return [field, ...(Array.isArray(inner) ? [] : fieldsOf(inner, `${path}${one.type === 'array' ? '[]' : ''}.`))]
  })
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => `\`${String(one)}\``).join(', ')
  if ('const' in schema) return `\`${String(schema.const)}\``
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => typeText(one as JsonSchema)).join(' or ')
  if (schema.type === 'array' && !Array.isArray(schema.items)) return `list of ${typeText(schema.items as JsonSchema)}`
  return schema.type === undefined ? 'any' : schema.type === 'array' ? 'list' : String(schema.type)
}
