import type { PyValue } from '@rolecall/core/internal/python'

/** A conversation to render a template with. Its words are unlike anything a template would write. */
export type ProbeChat = {
  messages: readonly ProbeMessage[]
  tools?: readonly PyValue[]
  /** Passed as `add_generation_prompt`. */
  addGenerationPrompt?: boolean
  kwargs?: Readonly<Record<string, PyValue>>
  clock?: Date
}

export type ProbeMessage = { role: string; content: PyValue; [field: string]: PyValue }

export const user = (content = 'qzUser'): ProbeMessage => ({ role: 'user', content })
export const system = (content = 'qzSystem'): ProbeMessage => ({ role: 'system', content })
export const assistant = (content = 'qzAnswer', more: Readonly<Record<string, PyValue>> = {}): ProbeMessage => ({
  role: 'assistant',
  content,
  ...more,
})
/** An assistant message with reasoning. */
export const thinking = (content: string, thought: string, more: Readonly<Record<string, PyValue>> = {}): ProbeMessage =>
  assistant(content, { reasoning_content: thought, ...more })

/** Nine letters and digits, as Mistral's templates require. */
const callId = (index: number) => `qzcallid${index}`

export const call = (index = 0, given: PyValue = { qzKey: 'qzValue' }, name = 'qzTool'): PyValue => ({
  id: callId(index),
  type: 'function',
  function: { name, arguments: given },
})
/** With an id that contains the tool's name, as Kimi's templates require. */
export const namedCall: PyValue = {
  id: 'functions.qzTool:0',
  type: 'function',
  function: { name: 'qzTool', arguments: { qzKey: 'qzValue' } },
}

export const calling = (calls: readonly PyValue[] = [call()], content = ''): ProbeMessage => assistant(content, { tool_calls: calls })
export const result = (content = 'qzResult', index = 0): ProbeMessage => ({
  role: 'tool',
  name: 'qzTool',
  tool_call_id: callId(index),
  content,
})

export const tool: PyValue = {
  type: 'function',
  function: {
    name: 'qzTool',
    description: 'qzDescription',
    parameters: { type: 'object', properties: { qzKey: { type: 'string', description: 'qzParameter' } }, required: ['qzKey'] },
  },
}

/** Describes a conversation: `system, user, assistant`. */
export function describeChat({ messages, tools, addGenerationPrompt }: ProbeChat): string {
  const parts = messages.map((message) => {
    const fields = ['reasoning_content', 'tool_calls', 'name'].filter((field) => message[field] !== undefined && message.role !== 'tool')
    return fields.length === 0 ? message.role : `${message.role} (with ${fields.join(', ')})`
  })
  const roles = parts.join(', ') || 'no messages'
  return `${roles}${tools === undefined ? '' : '; with tools'}${addGenerationPrompt ? '; with generation prompt' : ''}`
}
