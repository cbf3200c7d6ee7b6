/** The speakers of a conversation; `format` is the text the model's format adds. */
export const speakers = ['system', 'user', 'assistant', 'tool', 'format'] as const
export type Speaker = (typeof speakers)[number]

/** The speaker of a message. Unusual roles count as tools. */
export function speakerOf(role: string): Speaker {
  if (role === 'assistant' || role === 'user') return role
  return role === 'system' || role === 'developer' ? 'system' : 'tool'
}

/** Colours, the same as in dataset prompts. */
export const colourOf: Readonly<Record<Speaker, string>> = {
  system: 'o-template',
  user: 'o-field',
  assistant: 'o-answer',
  tool: 'o-example',
  format: 'o-format',
}
