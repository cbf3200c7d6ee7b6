import type { PyDict } from '@rolecall/core/internal/python'

/** What a tool receives in addition to its arguments. */
export type ToolContext = {
  /** Aborted when the chat is stopped or the tool takes too long. */
  signal: AbortSignal
  callId: string
}

/** A tool that a model may call. */
export type AgentTool = {
  name: string
  description?: string
  /** A JSON Schema of the arguments: if they do not fit, the model is informed and the tool is not run. */
  parameters?: object
  /**
   * Runs the tool. Strings go to the model unchanged, other values as JSON. Without `run` the caller answers: the agent stops at the call
   * (`reason: 'calls'`).
   */
  run?(given: never, context: ToolContext): unknown
  /** How long it may take, in milliseconds; 30,000 by default. */
  timeLimit?: number
}

/**
 * A tool with the type of its arguments.
 *
 * @example
 * const add = defineTool<{ a: number; b: number }>({ name: 'add', run: ({ a, b }) => a + b })
 * add.name // => 'add'
 */
export function defineTool<Arguments extends object>(
  tool: Omit<AgentTool, 'run'> & { run?(given: Arguments, context: ToolContext): unknown },
): AgentTool {
  return tool as AgentTool
}

/** A tool as the model sees it, as document 004 lists it. */
export function toolSchema({ name, description, parameters }: AgentTool): PyDict {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: (parameters ?? { type: 'object', properties: {} }) as PyDict,
  }
}

/** Default time limit of a tool, in milliseconds. */
export const defaultTimeLimit = 30_000
