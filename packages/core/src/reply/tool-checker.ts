import { suggestName } from '../base/errors/nearest.ts'
import { dictGet, isDict, type PyValue } from '../base/python/index.ts'
import { type ArgumentProblem, checkArguments } from '../constrain/check-arguments.ts'
import type { ReplyCall, UsableCall } from './reply.ts'

/** Checks calls against the tools a model was given, bare (`{ name, parameters }`) or in OpenAI's shape. */
export class ToolChecker {
  readonly #schemas = new Map<string, unknown>()

  constructor(tools: readonly unknown[]) {
    for (const tool of tools) {
      if (!isDict(tool)) continue
      const inner = dictGet(tool, 'function')
      const bare = isDict(inner) ? inner : tool
      const name = dictGet(bare, 'name')
      if (typeof name === 'string') this.#schemas.set(name, dictGet(bare, 'parameters') ?? dictGet(bare, 'input_schema'))
    }
  }

  has(name: string): boolean {
    return this.#schemas.has(name)
  }

  /** The schema of a tool's arguments; undefined if the tool is unknown. */
  schemaOf(name: string): PyValue | undefined {
    return this.#schemas.get(name) as PyValue | undefined
  }

  get names(): string[] {
    return [...this.#schemas.keys()]
  }

  /** The call, with its problems if it has any. */
  checked(call: ReplyCall): ReplyCall {
    const problems = call.kind === 'call' ? this.problemsOf(call) : []
    return problems.length > 0 && call.kind === 'call' ? { ...call, problems } : call
  }

  problemsOf({ name, arguments: given }: UsableCall): ArgumentProblem[] {
    if (!this.#schemas.has(name)) {
      const known = this.names
      return [{ path: '', problem: `there is no tool "${name}": ${known.length === 0 ? 'no tools were given' : suggestName(name, known)}` }]
    }
    if (!isDict(given)) return checkArguments(given, { type: 'object' })
    return checkArguments(given, this.#schemas.get(name))
  }
}
