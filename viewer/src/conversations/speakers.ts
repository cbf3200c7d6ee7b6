/** Who speaks in a conversation; `format` is what the model's format writes around them. */
export const speakers = ['system', 'user', 'assistant', 'tool', 'format'] as const
export type Speaker = (typeof speakers)[number]

/** The speaker of a message. Roles that are none of the usual ones are those of tools and environments. */
export function speakerOf(role: string): Speaker {
  if (role === 'assistant' || role === 'user') return role
  return role === 'system' || role === 'developer' ? 'system' : 'tool'
}

/** The colour of each, as the prompts of datasets have them. */
export const colourOf: Readonly<Record<Speaker, string>> = {
  system: 'o-template',
  user: 'o-field',
  assistant: 'o-answer',
  tool: 'o-example',
  format: 'o-format',
}
