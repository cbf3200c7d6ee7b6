import { z } from 'zod'
import { configSchema } from '../packages/rolecall/src/evaluation/config/config-schema.ts'
import { shortSchema } from '../packages/rolecall/src/evaluation/config/short/short-schema.ts'
import { strictSchema } from './strict-schema.ts'

type Json = {
  [key: string]: unknown
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  additionalProperties?: Json | boolean
  description?: string
  type?: string
  required?: string[]
}

// Draft 7 is what editors read best.
const written = { io: 'input', target: 'draft-7', unrepresentable: 'any', override: strictSchema } as const

/** The JSON Schema of a config in either form, as editors use it. */
export function configJsonSchema(): object {
  const { anyOf, ...root } = z.toJSONSchema(z.union([shortSchema, configSchema]), { ...written, reused: 'ref' })
  const [short, full] = anyOf ?? []
  // A union would report the mistakes of both forms.
  const isShort = { anyOf: keysOfShortForm.map((key) => ({ required: [key] })) }
  const byForm = Object.fromEntries([
    ['if', isShort],
    ['then', short],
    ['else', full],
  ])
  return { ...root, title: 'Rolecall configuration', ...byForm }
}

const keysOfShortForm = ['data', 'prompts', 'prompt', 'tests']

const tables: readonly Table[] = [
  { title: 'keys of the short form', path: [], of: shortSchema },
  { title: 'a check of the short form', path: ['check', 'contains'], of: shortSchema },
  { title: 'config', path: [] },
  { title: 'models[]', path: ['models', '[]'] },
  { title: 'models[].format_options', path: ['models', '[]', 'format_options'] },
  { title: 'models[].meta_template', path: ['models', '[]', 'meta_template', 'begin'] },
  { title: 'models[].meta_template.round[] and reserved_roles[]', path: ['models', '[]', 'meta_template', 'reserved_roles', '[]'] },
  { title: 'models[].conv_config, or conv_template as an object (old style)', path: ['models', '[]', 'conv_config', 'separator_style'] },
  {
    title: 'models[].conv_config, or conv_template as an object (new style)',
    path: ['models', '[]', 'conv_config', 'system_template'],
  },
  { title: 'models[].mlc_config', path: ['models', '[]', 'mlc_config', 'temperature'] },
  { title: 'datasets[]', path: ['datasets', '[]', 'rows'] },
  { title: 'datasets[], as a preset', path: ['datasets', '[]', 'preset'] },
  { title: 'datasets[].reader_cfg', path: ['datasets', '[]', 'reader_cfg'] },
  { title: 'datasets[].infer_cfg', path: ['datasets', '[]', 'infer_cfg'] },
  { title: 'datasets[].infer_cfg.prompt_template and ice_template', path: ['datasets', '[]', 'infer_cfg', 'prompt_template'] },
  { title: 'template, as a dialogue', path: ['datasets', '[]', 'infer_cfg', 'prompt_template', 'template'] },
  { title: 'a turn of begin, round or end', path: ['datasets', '[]', 'infer_cfg', 'prompt_template', 'template', 'round', '[]'] },
  { title: 'prompt_template with messages', path: ['datasets', '[]', 'infer_cfg', 'prompt_template', 'messages'] },
  { title: 'datasets[].infer_cfg.retriever', path: ['datasets', '[]', 'infer_cfg', 'retriever'] },
  { title: 'datasets[].infer_cfg.inferencer', path: ['datasets', '[]', 'infer_cfg', 'inferencer'] },
]

/** `of`: the schema that has the object, by default that of the full form. */
type Table = { title: string; path: readonly string[]; of?: z.ZodType }

/** One table for each object a user writes, printed from the schemas' own descriptions. */
export function optionTables(): string {
  const root = (schema: z.ZodType) => z.toJSONSchema(schema, { ...written, reused: 'inline' }) as Json
  const full = root(configSchema)
  return tables.map(({ title, path, of }) => `### ${title}\n\n${tableOf(objectAt(of === undefined ? full : root(of), path))}`).join('\n\n')
}

/** The fields of a request to the server, with what they do. */
export function requestTable(schema: z.ZodType): string {
  return tableOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json)
}

/** Limits by name, with their defaults. */
export function limitsTable(schema: z.ZodType): string {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as Json
  const rows = Object.entries(properties).map(
    ([name, limit]) => `| \`${name}\` | ${Number(limit.default).toLocaleString('en-US')} | ${limit.description} |`,
  )
  return ['| limit | default | what it says |', '|---|---|---|', ...rows].join('\n')
}

function tableOf({ properties = {}, required = [] }: Json): string {
  const rows = Object.entries(properties)
    .filter(([key, { deprecated }]) => key !== '$schema' && !deprecated)
    .map(
      ([key, option]) =>
        `| \`${key}\`${required.includes(key) ? ' (required)' : ''} | ${kindOf(option)} | ${(option.description ?? '').replaceAll('|', '\\|').replaceAll('<', '\\<')} |`,
    )
  return ['| key | type | what it says |', '|---|---|---|', ...rows].join('\n')
}

/** The object at a path; where several are possible, the one that has the next key, or the first. */
function objectAt(schema: Json, path: readonly string[]): Json {
  const [key, ...rest] = path
  const options = branches(schema)
  if (key === undefined) return options.find((option) => option.properties) ?? schema
  if (key === '[]') return objectAt(options.find((option) => option.items)!.items!, rest)
  const owner = options.find((option) => option.properties?.[key])
  // The last key may only choose among several objects.
  if (rest.length === 0 && owner && !branches(owner.properties![key]!).some((option) => option.properties)) return owner
  return objectAt(owner!.properties![key]!, rest)
}

function branches(schema: Json): Json[] {
  return schema.anyOf ? schema.anyOf.flatMap(branches) : [schema]
}

function kindOf(schema: Json): string {
  const kinds = branches(schema).map((option) => {
    if (Array.isArray(option.enum)) return valuesOf(option.enum)
    if ('pattern' in option) return 'a class of OpenCompass'
    if (option.type === 'array') return `list of ${option.items ? kindOf(option.items) : 'anything'}`
    return [option.type ?? 'anything'].flat().join(' or ')
  })
  return [...new Set(kinds.flatMap((kind) => kind.split(' or ')))].filter((kind) => kind !== 'null').join(' or ')
}

/** Values by name, if there are few; a page of their own has the others. */
function valuesOf(values: readonly unknown[]): string {
  return values.length > 20 ? 'a known name' : values.map((value) => `\`${String(value)}\``).join(', ')
}
