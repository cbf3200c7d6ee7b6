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

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { role?: unknown }).role === 'string'
}
