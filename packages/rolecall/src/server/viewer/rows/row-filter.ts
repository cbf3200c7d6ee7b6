/**
 * Rows by verdict, by outcome of their answers, by whether a reply hit the token limit or comes from an earlier run, by whether they have
 * notes, and by what a reviewer noted: a verdict, wrong where the score is right, right where it is wrong, a star, anything.
 */
export const shows = [
  'all',
  'right',
  'wrong',
  'scored',
  'none',
  'answered',
  'not-found',
  'cut',
  'refused',
  'empty',
  'tool-call',
  'no-gold',
  'not-decided',
  'failed',
  'limit',
  'cached',
  'noted',
  'reviewed',
  'overrated',
  'underrated',
  'starred',
  'annotated',
] as const
export type Show = (typeof shows)[number]

export const sorts = ['number', 'verdict', 'score', 'tokens', 'time'] as const
export type Sort = (typeof sorts)[number]

/** What rows can be filtered by as numbers: the score, all tokens, and the time in seconds. */
export const measures = ['score', 'tokens', 'time'] as const
export type Measure = (typeof measures)[number]

/** Both ends are included; an absent one has no limit. */
export type NumberRange = { from?: number; to?: number }

export type RowFilter = {
  show: Show
  /** A note by its code, and by its text if only rows with this text are wanted. */
  note?: { code: string; text?: string | undefined } | undefined
  /** Why the tool calls of the row are wrong. */
  reason?: string | undefined
  /** A reviewer's tag. */
  tag?: string | undefined
  /** A column and its value. */
  column?: { name: string; value: string } | undefined
  ranges?: Partial<Record<Measure, NumberRange>> | undefined
  /** The positions found by a search. */
  found?: ReadonlySet<number> | undefined
}

export type Order = { by: Sort; isDescending: boolean }

/** The parameters of an address. */
export type FilterQuery = Readonly<Record<string, string | undefined>>

/** The filters and the order that an address names; names that do not exist have no effect. */
export function filterOf(query: FilterQuery): { filter: RowFilter; order: Order } {
  const { show: linked, note, said, reason, tag, column, value, sort, descending } = query
  const show = renamedShows.get(linked ?? '') ?? linked
  const ranges = measures.flatMap((measure) => {
    const range = query[measure] === undefined ? undefined : readRange(query[measure])
    return range ? [[measure, range]] : []
  })
  return {
    filter: {
      show: isOneOf(shows, show) ? show : 'all',
      note: note === undefined ? undefined : { code: note, text: said },
      reason,
      tag,
      column: column !== undefined && value !== undefined ? { name: column, value } : undefined,
      ranges: ranges.length > 0 ? Object.fromEntries(ranges) : undefined,
    },
    order: { by: isOneOf(sorts, sort) ? sort : 'number', isDescending: descending !== undefined },
  }
}

/** The names of filters in links of earlier versions. */
export const renamedShows: ReadonlyMap<string, Show> = new Map([['error', 'failed']])

function isOneOf<Name extends string>(names: readonly Name[], name: string | undefined): name is Name {
  return (names as readonly (string | undefined)[]).includes(name)
}

/** Reads `0.5..2`, `..2` or `0.5..`; undefined if it is none of these. */
export function readRange(text: string): NumberRange | undefined {
  const found = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/.exec(text)
  if (!found) return undefined
  const [, from, to] = found
  return { ...(from === undefined ? {} : { from: Number(from) }), ...(to === undefined ? {} : { to: Number(to) }) }
}

/** Writes a range as `readRange` reads it; undefined without any limit. */
export function writeRange({ from, to }: NumberRange): string | undefined {
  return from === undefined && to === undefined ? undefined : `${from ?? ''}..${to ?? ''}`
}
