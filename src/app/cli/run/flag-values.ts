import { InvalidArgumentError } from 'commander'

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new InvalidArgumentError('a whole number above 0 is needed')
}

export function seedNumber(text: string): number {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new InvalidArgumentError('a whole number is needed')
}

/** A number from the lowest up, or above the lowest and up to the highest. */
export function numberFrom(lowest: number, highest?: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    const isIn = highest === undefined ? value >= lowest : value > lowest && value <= highest
    if (text.trim() !== '' && isIn && Number.isFinite(value)) return value
    throw new InvalidArgumentError(
      highest === undefined ? `a number of at least ${lowest} is needed` : `a number above ${lowest} and up to ${highest} is needed`,
    )
  }
}

/** Shells make new lines hard to write. */
export function withStop(text: string, before: string[] = []): string[] {
  const written = text.replace(/\\(n|t|\\)/g, (_, one: string) => (one === 'n' ? '\n' : one === 't' ? '\t' : '\\'))
  return written === '' ? before : [...before, written]
}
