import { type AnswerWord, answerTerm, readTerms, valueTerm } from './filter-terms.ts'
import type { ColumnName, RowGrid } from './grid-table.ts'
import { countMatching, knownValues, namesOf } from './match-rows.ts'

/** A term that completes what is typed, and how many of the rows it would leave. Searches are counted once they have run. */
export type Completion = { term: string; kind: 'answer' | 'row' | 'column' | 'text'; rows?: number }

const mostShown = 8

/** Words in the order in which they are proposed. */
const usual: readonly AnswerWord[] = [
  'right',
  'wrong',
  'cut',
  'not-found',
  'failed',
  'refused',
  'empty',
  'limit',
  'overrated',
  'underrated',
  'starred',
]

/** The terms that what is typed last may become, counted among `rows`, which the other terms leave. Those that leave no row come last. */
export function completions(
  grid: RowGrid,
  columns: readonly ColumnName[],
  { rows, chosen, typed }: { rows: readonly number[]; chosen: readonly string[]; typed: string },
): Completion[] {
  const wanted = typed.toLowerCase()
  const isWanted = ({ term }: Completion) => term.toLowerCase().includes(wanted) && term !== typed && !chosen.includes(term)
  const starts = ({ term }: Completion) => Number(term.toLowerCase().startsWith(wanted) || term.toLowerCase().includes(`=${wanted}`))
  const candidates = proposals(grid, columns, typed)
    .filter(isWanted)
    .sort((one, other) => starts(other) - starts(one))
    .slice(0, 2 * mostShown)
  const counted = candidates.map((one): Completion => {
    const [term] = readTerms(one.term)
    return { ...one, rows: term ? countMatching(grid, columns, term, rows, new Map()) : 0 }
  })
  const texts: Completion[] =
    wanted === '' || /[:=~"/]/.test(typed)
      ? []
      : [
          { term: `reply~${quoted(typed)}`, kind: 'text' },
          { term: `q~${quoted(typed)}`, kind: 'text' },
        ]
  return [...counted.filter(({ rows }) => rows !== 0), ...counted.filter(({ rows }) => rows === 0)]
    .slice(0, mostShown - texts.length)
    .concat(texts)
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function proposals(grid: RowGrid, columns: readonly ColumnName[], typed: string): Completion[] {
  const hasSeveral = columns.length > 1
  const ofAnswers = usual.flatMap((word): Completion[] =>
    hasSeveral
      ? [
          ...columns.map(({ letter }) => ({ term: answerTerm(letter, word), kind: 'answer' as const })),
          { term: `all:${word}`, kind: 'answer' },
        ]
      : [{ term: word, kind: 'answer' }],
  )
  const ofRows: Completion[] = [...(hasSeveral ? (['disagree'] as const) : []), 'excluded'].map((term) => ({ term, kind: 'row' }))
  // Only the values of a name that is being typed, or that contain what is typed: columns may have thousands.
  const wanted = typed.toLowerCase()
  const ofColumns = namesOf(grid).flatMap((name) =>
    knownValues(grid, name)
      .map((value) => valueTerm(name, value))
      .filter((term) => wanted !== '' && term.toLowerCase().includes(wanted))
      .slice(0, 40)
      .map((term): Completion => ({ term, kind: 'column' })),
  )
  const names: Completion[] = typed.includes('=') ? [] : namesOf(grid).flatMap((name) => firstValues(grid, name))
  return unique([...ofAnswers, ...ofRows, ...ofColumns, ...(typed === '' ? names : [])])
}

/** A few values of a column, to show that it can be chosen by. */
function firstValues(grid: RowGrid, name: string): Completion[] {
  return knownValues(grid, name)
    .slice(0, 2)
    .map((value) => ({ term: valueTerm(name, value), kind: 'column' }))
}

function unique(all: readonly Completion[]): Completion[] {
  return [...new Map(all.map((one) => [one.term, one])).values()]
}
