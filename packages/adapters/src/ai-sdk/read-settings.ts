import { PromptError } from '@rolecall/core'
import type { OfferedTool, TurnRequest } from '../turn/turn-request.ts'
import { readPrompt } from './read-prompt.ts'
import type { CallOptions, SdkTool, SdkWarning } from './specification.ts'

/** A call of the SDK as a request of ours, and what of it has no effect. */
export function readSettings(options: CallOptions, variables: TurnRequest['variables']): { request: TurnRequest; warnings: SdkWarning[] } {
  const { responseFormat, toolChoice, temperature, topP, topK, presencePenalty, frequencyPenalty, seed } = options
  const warnings: SdkWarning[] = []
  const unsupported = (feature: string, details: string) => void warnings.push({ type: 'unsupported', feature, details })
  const tools = (options.tools ?? []).flatMap((tool): OfferedTool[] => {
    if (tool.type === 'function') return [functionTool(tool, unsupported)]
    unsupported(`provider-defined tool ${tool.id}`, 'only function tools can be written into a prompt')
    return []
  })
  if (Object.keys(options.headers ?? {}).some((name) => name.toLowerCase() !== 'user-agent'))
    unsupported('headers', 'give them to openServer')
  if (options.includeRawChunks) unsupported('includeRawChunks', 'a reply is text, which has no raw chunks')
  const sampling = { temperature, topP, topK, presencePenalty, frequencyPenalty, seed }
  const request: TurnRequest = {
    messages: readPrompt(options.prompt),
    tools,
    toolChoice: toolChoice?.type === 'tool' ? { name: toolChoice.toolName } : toolChoice?.type,
    json: responseFormat?.type === 'json' ? { schema: responseFormat.schema } : undefined,
    variables: { ...variables, ...ownOptions(options) },
    maxTokens: options.maxOutputTokens,
    stopTexts: options.stopSequences,
    sampling: Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined)),
    signal: options.abortSignal,
  }
  return { request, warnings }
}

function functionTool(tool: SdkTool, unsupported: (feature: string, details: string) => void): OfferedTool {
  const { name, description, inputSchema, strict, inputExamples } = tool
  if (inputExamples !== undefined && inputExamples.length > 0) unsupported(`inputExamples of ${name}`, 'chat templates do not write them')
  if (strict === true) unsupported(`strict of ${name}`, 'arguments are constrained only where toolChoice names the tool')
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** `providerOptions.rolecall`: `{ variables }`, the template's variables of one call. */
function ownOptions({ providerOptions }: CallOptions): Record<string, unknown> {
  const { variables = {}, ...unknown } = providerOptions?.rolecall ?? {}
  const [key] = Object.keys(unknown)
  if (key === undefined && typeof variables === 'object' && variables !== null) return variables as Record<string, unknown>
  throw new PromptError('unknown-key', {
    where: `providerOptions.rolecall${key === undefined ? '.variables' : `.${key}`}`,
    problem: key === undefined ? 'this is not an object' : 'there is no such option',
    fix: 'the one option is variables: { enable_thinking: false }',
  })
}
