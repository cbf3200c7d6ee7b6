import type { PyValue } from '../../../base/python/index.ts'
import type { At, UsableCall } from '../reply.ts'

/**
 * A call whose arguments are known to be JSON that loses nothing in JavaScript. Short ones are read at once. Long ones are read when
 * somebody asks for them: who only hands their text on, as a server does, does not wait for that.
 */
export function unreadCall(name: string, argumentsText: string, at: At): UsableCall {
  if (argumentsText.length <= maxShort) return { kind: 'call', name, arguments: JSON.parse(argumentsText) as PyValue, argumentsText, at }
  const become = (call: UsableCall, value: PyValue) =>
    Object.defineProperty(call, 'arguments', { value, writable: true, enumerable: true, configurable: true })
  return {
    kind: 'call',
    name,
    get arguments() {
      const value = JSON.parse(argumentsText) as PyValue
      become(this, value)
      return value
    },
    set arguments(value) {
      become(this, value)
    },
    argumentsText,
    at,
  }
}

/** How long arguments are that are read at once. */
export const maxShort = 2000
