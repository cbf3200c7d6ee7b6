const flags = { is_error: true, isError: true, success: false, ok: false } as const

/**
 * Whether a tool result is an error: an object with an `error` (as our agents write it) or an error flag; a Python traceback;
 * a text that starts with the word.
 */
export function isToolError(content: string): boolean {
  const text = content.trim()
  if (text.startsWith('{')) {
    const said = objectIn(text)
    if (said) return isSet(said.error) || Object.entries(flags).some(([key, value]) => said[key] === value)
  }
  return (
    /^(?:error|exception)\b\s*:/i.test(text) ||
    /^Traceback \(most recent call last\):/m.test(text) ||
    /^[A-Z]\w*(?:Error|Exception): /m.test(text)
  )
}

function isSet(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
