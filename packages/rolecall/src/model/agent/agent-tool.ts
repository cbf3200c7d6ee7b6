import { check, PromptError } from '@rolecall/core/internal/errors'
import type { PyDict } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'

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

/** A validator of zod, valibot, ArkType or another library, by the common interface of standardschema.dev. */
export type InputSchema<Output = unknown> = {
  readonly '~standard': {
    readonly validate: (value: unknown) => InputResult<Output> | Promise<InputResult<Output>>
    readonly types?: { readonly output: Output } | undefined
    /** Of libraries that describe their schemas as JSON Schema. */
    readonly jsonSchema?: { readonly input: (options: { target: 'draft-2020-12' }) => Record<string, unknown> } | undefined
  }
}

type InputResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** A tool whose arguments a validator reads: `run` receives what it returns. */
export type ValidatedTool<Schema extends InputSchema> = Omit<AgentTool, 'run'> & {
  input: Schema
  run?(given: NonNullable<Schema['~standard']['types']>['output'], context: ToolContext): unknown
}

/**
 * A tool with the type of its arguments, or with a validator (`input`) that gives type, check and JSON Schema at once.
 *
 * @example
 * const add = defineTool<{ a: number; b: number }>({ name: 'add', run: ({ a, b }) => a + b })
 * add.name // => 'add'
 */
export function defineTool<Schema extends InputSchema>(tool: ValidatedTool<Schema>): AgentTool
export function defineTool<Arguments extends object>(
  tool: Omit<AgentTool, 'run'> & { input?: never; run?(given: Arguments, context: ToolContext): unknown },
): AgentTool
export function defineTool(
  tool: (Omit<AgentTool, 'run'> & { run?(given: never, context: ToolContext): unknown }) | ValidatedTool<InputSchema>,
): AgentTool {
  check(toolSchemaOfUsers, tool, `defineTool › `)
  if (!('input' in tool) || tool.input === undefined) return tool as AgentTool
  const { input, run, parameters = parametersOf(tool.name, input), ...rest } = tool
  if (run === undefined) return { ...rest, parameters }
  return { ...rest, parameters, run: async (given, context) => run(await validated(input, given), context) }
}

const isFunction = (value: unknown) => typeof value === 'function'

const toolSchemaOfUsers = z.strictObject({
  name: z.string(),
  description: z.optional(z.string()),
  parameters: z.optional(z.looseObject({})),
  input: z.optional(
    z.custom<InputSchema>((value) => Object(value) === value && '~standard' in (value as object), 'expected a standard schema'),
  ),
  run: z.optional(z.custom<AgentTool['run']>(isFunction, 'expected a function')),
  timeLimit: z.optional(z.number()),
} satisfies { readonly [Key in keyof Required<ValidatedTool<InputSchema>>]: z.FieldSchemas[string] })

function parametersOf(name: string, { '~standard': standard }: InputSchema): object {
  if (standard.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12' })
  throw new PromptError('no-json-schema', {
    where: `defineTool › ${name}`,
    problem: 'this validator has no JSON Schema, which the model needs to see',
    fix: 'give the schema as `parameters` beside `input`, or use a library that describes its schemas, such as zod 4.2 or newer',
  })
}

/** What the validator makes of the arguments; its problems are an error, which the model is told. */
async function validated(input: InputSchema, given: unknown): Promise<unknown> {
  const result = await input['~standard'].validate(given)
  if (result.issues === undefined) return result.value
  const problems = result.issues.map(({ message, path = [] }) => {
    const place = path.map((key) => String(Object(key) === key && 'key' in (key as object) ? (key as { key: unknown }).key : key)).join('.')
    return place === '' ? message : `${place}: ${message}`
  })
  throw new TypeError(`the arguments are wrong: ${problems.join('; ')}`)
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
