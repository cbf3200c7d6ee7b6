import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictGet, dictHas, isDict, type PyDict, type PyValue, stringifyJson } from '../../../base/python/index.ts'
import type { Tool } from '../../conversation/conversation.ts'

/** The tools of a request as the present generation shows them to a model: a JSON list, as Python writes it. */
export function functionList(tools: readonly Tool[]): string {
  return stringifyJson(tools.map(describe))
}

/** The same if the request names one tool, or none; undefined: the model sees no tools. */
export function functionString(tools: readonly Tool[] | undefined, choice: PyValue = 'auto'): string | undefined {
  if (choice !== 'none' && choice !== 'auto' && !isDict(choice)) throw badChoice('expected "none", "auto" or { type, function }')
  for (const tool of tools ?? []) describe(tool)
  if (!tools || choice === 'none') return undefined
  if (!isDict(choice)) return functionList(tools)
  const wanted = dictGet(choice, 'function')
  if (dictGet(choice, 'type') !== 'function' || !isDict(wanted)) throw badChoice('only a function can be chosen')
  const keys = isDict(wanted) ? [...(wanted instanceof Map ? wanted.keys() : Object.keys(wanted))] : []
  if (keys.length !== 1 || keys[0] !== 'name') throw badChoice('a function is chosen by its name alone')
  const name = dictGet(wanted, 'name')
  const found = tools.find((tool) => tool.name === name)
  if (!found) throw badChoice(`there is no tool "${String(name)}" (there are: ${tools.map((tool) => tool.name).join(', ')})`)
  return stringifyJson(describe(found), { ensureAscii: false, separators: [',', ':'] })
}

function badChoice(problem: string): PromptError {
  return new PromptError('bad-tool-choice', {
    where: 'tool_choice',
    problem,
    fix: 'write "none", "auto" or { type: "function", function: { name } }',
  })
}

/** In the order of the protocol, with null for a missing description. */
function describe({ name, schema, path }: Tool): PyDict {
  if (!dictHas(schema, 'parameters'))
    throw new PromptError('bad-tool', {
      where: path,
      problem: `the tool "${name}" has no parameters`,
      fix: 'give their JSON Schema, e.g. { type: "object", properties: {} }',
    })
  return { description: dictGet(schema, 'description') ?? null, name, parameters: dictGet(schema, 'parameters')! }
}
