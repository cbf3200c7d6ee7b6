import { type FilterQuery, measures, readRange, renamedShows, shows } from '../rows/row-filter.ts'
import { quotedTerm, tokensOf, valueTerm } from './filter-terms.ts'

/** The parameters of an address that choose rows. Links of earlier versions have all but `q`. */
export const choosingParameters = ['q', 'show', 'text', 'pattern', 'note', 'said', 'reason', 'tag', 'column', 'value', ...measures] as const

/** The filter line of an address: `q`, and what older links and those of counts say in separate parameters. */
export function lineOfQuery(query: FilterQuery): string {
  const { q = '', show: linked, note, said, reason, tag, column, value, text, pattern } = query
  const show = renamedShows.get(linked ?? '') ?? linked
  const terms = [
    // In these links, wrong answers are those that were compared.
    ...(show === undefined || show === 'all'
      ? []
      : [show === 'wrong' ? 'incorrect' : (shows as readonly string[]).includes(show) ? show : `any:${show}`]),
    ...(column !== undefined && value !== undefined ? [valueTerm(column, value)] : []),
    ...(note === undefined ? [] : [valueTerm('note', said ?? note)]),
    ...(reason === undefined ? [] : [valueTerm('reason', reason)]),
    ...(tag === undefined ? [] : [valueTerm('tag', tag)]),
    ...measures.flatMap((measure) =>
      query[measure] === undefined ? [] : [`${measure}=${readRange(query[measure]) ? query[measure] : `?${query[measure]}`}`],
    ),
    ...(text === undefined || text === '' ? [] : [pattern === undefined ? quotedTerm(text) : `/${text}/`]),
  ]
  const known = tokensOf(q)
  return [...known, ...terms.filter((term) => !known.includes(term))].join(' ')
}
