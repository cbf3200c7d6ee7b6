/**
 * A number as text, rounded half away from zero as a decimal: the one place where figures for people are rounded. Twelve digits are kept first,
 * so that sums which differ only in the last bits of a float read the same.
 *
 * @example
 * fixed(4.25, 1) // => '4.3'
 * fixed(100 * (0.7425 - 0.7), 1) // => '4.3'
 */
export function fixed(value: number, digits: number): string {
  const exact = Number(value.toPrecision(12))
  // An exponent, which tiny and huge numbers have, leaves nothing to round by hand.
  if (!Number.isFinite(exact) || String(exact).includes('e')) return withoutMinusZero(exact.toFixed(digits))
  const rounded = Math.round(Number(`${Math.abs(exact)}e${digits}`)) * Math.sign(exact)
  return withoutMinusZero(Number(`${rounded}e-${digits}`).toFixed(digits))
}

/**
 * A difference with its sign, which zero does not have.
 *
 * @example
 * signed(-20.33, 1) // => '−20.3'
 */
export function signed(value: number, digits: number): string {
  const text = fixed(value, digits)
  if (Number(text) === 0) return text
  return value < 0 ? `−${text.slice(1)}` : `+${text}`
}

function withoutMinusZero(text: string): string {
  return Number(text) === 0 ? text.replace('-', '') : text
}
