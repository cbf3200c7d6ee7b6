/** The error for a value that Python has no form for here, such as a `Date` or a function. */
export function unsupportedType(value: unknown): TypeError {
  return new TypeError(
    `a value of type ${typeName(value)} has no Python form: use null, a boolean, a number, a bigint, a string, an array, a plain object or a Map`,
  )
}

function typeName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'object'
}
