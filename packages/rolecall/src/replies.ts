// `rolecall/replies`: parses replies into text, reasoning, tool calls and code, whole or streamed.
export * from '@rolecall/core/replies'
