/**
 * The value of an expression of numbers, + - * / and brackets; undefined for anything else, or division by zero. `**` is a
 * power. Never executes code.
 *
 * @example
 * arithmeticValue('(1 + 2) * 8') // => 24
 */
export function arithmeticValue(text: string): number | undefined {
  const tokens = text.match(/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\*\*|\/\/|[-+*/%()]|\S/g) ?? []
  if (tokens.length > 1000) return undefined
  let at = 0

  const accept = (...wanted: string[]) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined)

  function sum(): number {
    let value = product()
    for (let sign = accept('+', '-'); sign; sign = accept('+', '-')) {
      const next = product()
      value = sign === '+' ? value + next : value - next
    }
    return value
  }

  function product(): number {
    let value = signed()
    for (let sign = accept('*', '/', '//', '%'); sign; sign = accept('*', '/', '//', '%')) {
      const next = signed()
      if (sign !== '*' && next === 0) return Number.NaN
      value =
        sign === '*'
          ? value * next
          : sign === '/'
            ? value / next
            : sign === '//'
              ? Math.floor(value / next)
              : value - next * Math.floor(value / next)
    }
    return value
  }

  function signed(): number {
    const sign = accept('+', '-')
    if (sign) return sign === '-' ? -signed() : signed()
    const base = atom()
    return accept('**') ? base ** signed() : base
  }

  function atom(): number {
    if (accept('(')) {
      const value = sum()
      return accept(')') ? value : Number.NaN
    }
    const token = tokens[at++]
    return token !== undefined && /^[\d.]/.test(token) ? Number(token) : Number.NaN
  }

  const value = sum()
  return at === tokens.length && !Number.isNaN(value) ? value : undefined
}
