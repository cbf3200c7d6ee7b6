import { isDict, isList, type PyDict, type PyValue, pyEqual } from '@rolecall/core/internal/python'
import { functionTool, hostedToolProblem } from '../converted-chat.ts'
import { customSchema } from '../custom-tools.ts'
import { exactField, exactText } from '../exact-fields.ts'

/** What a tool is to the client; the model sees a function. */
export type ClientTool = {
  type: 'function' | 'custom' | 'tool_search' | 'local_shell'
  /** Its name in the request: two namespaces may have the same one. */
  name: string
  namespace?: string
}

/** The tools of a request in the chat's shape, and what they are to the client. */
export class ResponseTools {
  readonly tools: PyDict[] = []
  /** By the names that the model uses. */
  readonly #known = new Map<string, ClientTool>()
  readonly #problems: string[]

  constructor(problems: string[]) {
    this.#problems = problems
  }

  /** Adds a list of tools from anywhere in the request. What neither the client nor the model can run is reported. */
  add(tools: readonly PyValue[], place: string): void {
    for (const [index, tool] of tools.entries()) this.#add(tool, `${place}[${index}]`)
  }

  /** What the model has called; a tool that the request does not have is a function. */
  find(modelName: string): ClientTool {
    return this.#known.get(modelName) ?? { type: 'function', name: modelName }
  }

  /** The name that the model knows a tool of the client by. */
  modelName(name: string, namespace?: string): string {
    for (const [modelName, tool] of this.#known) if (tool.name === name && tool.namespace === namespace) return modelName
    return name
  }

  #add(tool: PyValue, at: string): void {
    const type = exactField(tool, 'type')
    if (isDict(tool) && this.#addRunnable(tool, type, at)) return
    this.#problems.push(hostedToolProblem(at, type))
  }

  /** False if neither the client nor the model runs such tools. */
  #addRunnable(tool: PyDict, type: PyValue | undefined, at: string): boolean {
    switch (type) {
      case 'namespace':
        this.#addNamespace(tool, at)
        return true
      case 'local_shell':
        this.#keep({ type, name: type }, localShell, exactField(localShell, 'parameters'), at)
        return true
      case 'tool_search':
        // Without `execution: client`, OpenAI's server searches.
        if (exactField(tool, 'execution') !== 'client') return false
        this.#keep({ type, name: type }, tool, exactField(tool, 'parameters'), at)
        return true
      case 'function':
      case 'custom':
        this.#addNamed(tool, type, at)
        return true
      default:
        return false
    }
  }

  #addNamed(tool: PyDict, type: 'function' | 'custom', at: string, namespace?: string, heading = ''): void {
    const name = exactText(tool, 'name', at)
    if (type === 'custom' && exactField(exactField(tool, 'format'), 'type') === 'grammar')
      this.#problems.push(`${at}.format: the model was shown the grammar, but it is not enforced`)
    const parameters = type === 'custom' ? customSchema(tool) : exactField(tool, 'parameters')
    this.#keep({ type, name, namespace }, tool, parameters, at, heading)
  }

  /** Formats have no namespaces: its functions are ordinary ones, and its description heads that of the first. */
  #addNamespace(tool: PyDict, at: string): void {
    const name = exactText(tool, 'name', at)
    const described = exactField(tool, 'description')
    let heading = typeof described === 'string' && described !== '' ? `${name}: ${described}\n\n` : ''
    const members = exactField(tool, 'tools')
    for (const [index, member] of (isList(members) ? members : []).entries()) {
      const place = `${at}.tools[${index}]`
      const type = exactField(member, 'type')
      if (!isDict(member) || (type !== 'function' && type !== 'custom')) {
        this.#problems.push(hostedToolProblem(place, type))
        continue
      }
      this.#addNamed(member, type, place, name, heading)
      heading = ''
    }
  }

  /** The first tool of a name has it; later ones are told apart by their namespace. */
  #keep(tool: ClientTool, shown: PyDict, parameters: PyValue | undefined, at: string, heading = ''): void {
    const taken = this.#known.get(tool.name)
    const modelName = taken && taken.namespace !== tool.namespace ? `${tool.namespace ?? 'tools'}__${tool.name}` : tool.name
    const written = functionTool(shown, parameters, { name: modelName, heading })
    const before = this.tools.find((known) => exactField(exactField(known, 'function'), 'name') === modelName)
    // Clients repeat their tools, for example in `tools` and in `additional_tools`.
    if (before !== undefined) {
      if (!pyEqual(before, written))
        this.#problems.push(`${at}: there is another tool named ${modelName} before it; the model was given the first`)
      return
    }
    this.#known.set(modelName, tool)
    this.tools.push(written)
  }
}

const localShell: PyDict = {
  description: 'Runs a command on the local machine and returns its output.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
      working_directory: { type: 'string' },
      timeout_ms: { type: 'integer' },
    },
    required: ['command'],
  },
}
