import { z } from 'zod'

/** A tool of `rolecall mcp`. */
export type McpTool = {
  name: string
  description: string
  /** JSON Schema of its arguments. */
  inputSchema: object
  /** `folder`: the working folder, which bounds what is read. */
  call(given: unknown, context: { folder: string; signal: AbortSignal }): Promise<unknown>
}

/** A tool whose arguments a schema describes and checks; unknown arguments are errors. */
export function mcpTool<Schema extends z.ZodObject>(tool: {
  name: string
  description: string
  input: Schema
  call(given: z.output<Schema>, context: { folder: string; signal: AbortSignal }): Promise<unknown> | unknown
}): McpTool {
  const { name, description, input, call } = tool
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input' }),
    async call(given, context) {
      const read = input.safeParse(given ?? {})
      if (read.success) return call(read.data, context)
      throw new TypeError(read.error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`).join('; '))
    },
  }
}
