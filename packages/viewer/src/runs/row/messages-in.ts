/** The messages sent; undefined for text, or messages with more than role and text. */
export function messagesIn(text: string): { role: string; content: string }[] | undefined {
  if (!text.startsWith('[') && !text.startsWith('{')) return undefined
  try {
    const value = JSON.parse(text) as unknown
    const list = Array.isArray(value) ? (value as unknown[]) : (value as { messages?: unknown }).messages
    if (!Array.isArray(list) || !list.every(isMessage)) return undefined
    return (list as readonly Record<string, unknown>[]).map(({ role, content, ...more }) => ({
      role: String(role),
      content: [
        typeof content === 'string' ? content : content === undefined || content === null ? '' : JSON.stringify(content, null, 2),
        Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
      ]
        .filter((part) => part !== '')
        .join('\n'),
    }))
  } catch {
    return undefined
  }
}

/** A prompt to read and compare: messages turn by turn, with tools at the end, other texts as they are. */
export function turnsText(prompt: string): string {
  const turns = messagesIn(prompt)?.map(({ role, content }) => `${role}:\n${content}`)
  if (!turns) return prompt
  const { tools } = JSON.parse(prompt) as { tools?: unknown }
  return [...turns, ...(tools === undefined ? [] : [`tools:\n${JSON.stringify(tools, null, 2)}`])].join('\n\n')
}

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { role?: unknown }).role === 'string'
}
