/** Whether a config's value has a function in it: a user's own may count, write or send, and only sees real replies. */
export function hasFunction(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && Object.values(value).some(hasFunction))
}
