import { foldName, nearestName, PromptError, placeOf } from '@rolecall/core/internal/errors'

/** A key that nothing reads, its place, and why that is not a mistake. */
export type UnusedKey = { where: string; why: string }

/** The keys at one place of a config. */
export type KeysOfPlace = {
  /** Keys that are read. */
  known: readonly string[]
  /** Keys that are known elsewhere but not read here, with the reason. */
  ignored: Readonly<Record<string, string>>
  /** Other names for known keys. */
  otherNames: Readonly<Record<string, string>>
}

export type UnreadOptions = {
  /** Whether other programs' names are reported as mistakes: not in entries for a class of OpenCompass, which has its own keys. */
  isOurs?: boolean
  /** Whether unread keys are only listed: configs of OpenCompass and AISBench have other keys. */
  foreignKeys?: boolean
}

/**
 * Keys of an object that nothing reads. A misspelt key, or another program's name for a known key, is an error: its setting would be
 * ignored, and rows and keys could be sent to the wrong place.
 */
export function unreadKeys(
  value: object,
  { known, ignored, otherNames }: KeysOfPlace,
  where: string,
  { isOurs = true, foreignKeys = false }: UnreadOptions = {},
): UnusedKey[] {
  return Object.keys(value).flatMap((key): UnusedKey[] => {
    if (known.includes(key)) return []
    const place = placeOf(where, [key])
    const why = Object.hasOwn(ignored, key) ? ignored[key] : undefined
    const meant = foreignKeys ? undefined : meantBy(key, known, isOurs ? otherNames : {}, why !== undefined)
    if (meant === undefined) return [{ where: place, why: why ?? 'nothing here reads it' }]
    throw new PromptError('unknown-key', {
      where: place,
      problem: `"${key}" is not known here`,
      fix: known.includes(meant) ? `did you mean "${meant}"?` : `write it as ${meant}`,
    })
  })
}

/** The key that was probably meant; undefined if unclear. A key of another program means itself, unless it has another name here. */
function meantBy(key: string, known: readonly string[], otherNames: KeysOfPlace['otherNames'], isIgnored: boolean): string | undefined {
  const names = Object.keys(otherNames)
  const other = names.find((name) => foldName(name) === foldName(key))
  if (other !== undefined) return otherNames[other]
  if (isIgnored) return undefined
  const near = nearestName(key, known.filter(isTellable))
  if (near !== undefined) return near
  const nearOther = nearestName(
    key,
    names.filter((name) => name.length > 4),
  )
  return nearOther === undefined ? undefined : otherNames[nearOther]
}

/** Every single letter is similar to `n` and `k`. */
function isTellable(name: string): boolean {
  return name.length > 2
}
