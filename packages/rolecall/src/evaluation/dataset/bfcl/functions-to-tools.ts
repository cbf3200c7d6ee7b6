import {
  dictEntries,
  dictFromEntries,
  dictGet,
  isDict,
  type PyDict,
  type PyValue,
  pyStr,
  stringifyJson,
} from '@rolecall/core/internal/python'
import { badFunction, withSchemaTypes } from './openapi-types.ts'

/** How an API expects tools, by the leaderboard's API names. */
type Style = {
  /** Wraps the function; undefined if the API takes no tools. */
  wrap?: (tool: PyDict) => PyDict
  /** The return value is part of the function's description, since the API has no field for it. */
  describesResponse?: true
  /** Defaults and limits of parameters are part of their descriptions. */
  describesLimits?: true
}

const bare = (tool: PyDict): PyDict => tool
const inFunction = (tool: PyDict): PyDict => ({ type: 'function', function: tool })

const styles = {
  'openai-completions': { wrap: inFunction },
  'openai-responses': { wrap: (tool) => dictFromEntries([...dictEntries(tool), ['type', 'function']]) },
  mistral: { wrap: inFunction },
  cohere: { wrap: inFunction },
  firework_ai: { wrap: inFunction, describesResponse: true },
  novita_ai: { wrap: inFunction },
  writer: { wrap: inFunction, describesResponse: true, describesLimits: true },
  google: { wrap: bare, describesResponse: true, describesLimits: true },
  claude: { wrap: (tool) => renamed(tool, 'parameters', 'input_schema', bare), describesResponse: true },
  amazon: { wrap: (tool) => ({ toolSpec: renamed(tool, 'parameters', 'inputSchema', (json) => ({ json })) }), describesResponse: true },
  ossmodel: { wrap: bare },
  gorilla: {},
  nexus: {},
} as const satisfies Record<string, Style>

export type ToolStyle = keyof typeof styles

/**
 * Functions in the Berkeley Function Calling Leaderboard's documentation format, as tools for a model: with JSON Schema types, and names
 * without dots, which APIs do not accept.
 *
 * @example
 * const parameters = { type: 'dict', properties: { days: { type: 'tuple', items: { type: 'integer' } } }, required: [] }
 * const [tool] = functionsToTools([{ name: 'calendar.free', parameters }])
 * JSON.stringify(tool) // => '{"type":"function","function":{"name":"calendar_free","parameters":{"type":"object","properties":{"days":{"type":"array","items":{"type":"integer"}}},"required":[]}}}'
 */
export function functionsToTools(functions: readonly PyValue[], style: ToolStyle = 'openai-completions'): PyDict[] {
  const { wrap, describesResponse, describesLimits }: Style = styles[style]
  if (!wrap) return []
  return functions.map((given, index) => {
    const name = isDict(given) ? dictGet(given, 'name') : undefined
    const parameters = isDict(given) ? dictGet(given, 'parameters') : undefined
    const properties = isDict(parameters) ? dictGet(parameters, 'properties') : undefined
    const where = `function[${index}]`
    if (!isDict(given) || !isDict(parameters) || typeof name !== 'string' || !isDict(properties)) {
      throw badFunction(where, 'the function has no name, or no parameters with properties')
    }
    const typed = withSchemaTypes(properties, `${where}.parameters.properties`)
    const described = describesLimits
      ? dictFromEntries(dictEntries(typed).map(([key, one]) => [key, withDescribedLimits(one as PyDict)]))
      : typed
    const tool = new Map(dictEntries(given))
    tool.set('name', name.replaceAll('.', '_'))
    tool.set('parameters', dictFromEntries(new Map(dictEntries(parameters)).set('type', 'object').set('properties', described)))
    const response = tool.get('response')
    if (describesResponse && response !== undefined) {
      tool.set(
        'description',
        `${pyStr(tool.get('description') ?? '')} The response field has the following schema: ${stringifyJson(response)}`,
      )
      tool.delete('response')
    }
    return wrap(dictFromEntries(tool))
  })
}

/** Appended to descriptions, in this order. */
const limits: readonly [key: string, words: string][] = [
  ['default', 'Default is'],
  ['optional', 'Optional'],
  ['maximum', 'Maximum value'],
  ['minItems', 'Minimum number of items'],
  ['maxItems', 'Maximum number of items'],
  ['required', 'Required'],
  ['additionalProperties', 'Additional properties'],
  ['format', 'Format'],
  ['enum', 'Enum values'],
]

function withDescribedLimits(parameter: PyDict): PyDict {
  const changed = new Map(dictEntries(parameter))
  const isText = changed.get('type') === 'string'
  let description = pyStr(changed.get('description') ?? '')
  for (const [key, words] of limits) {
    const value = changed.get(key)
    // A number's format and a string's choices have their own fields.
    if (value === undefined || (key === 'format' && !isText) || (key === 'enum' && isText)) continue
    description += ` ${words}: ${pyStr(value)}.`
    changed.delete(key)
  }
  if (description !== '' || changed.has('description')) changed.set('description', description)
  return dictFromEntries(changed)
}

function renamed(tool: PyDict, from: string, to: string, change: (value: PyDict) => PyDict): PyDict {
  return dictFromEntries(dictEntries(tool).map(([key, value]) => (key === from ? [to, change(value as PyDict)] : [key, value])))
}
