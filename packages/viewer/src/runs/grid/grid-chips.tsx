import { useMemo } from 'preact/hooks'
import { answerWords, readTerms, toggledTerm, tokensOf } from 'rolecall/internal/server/viewer/grid/filter-terms'
import type { ColumnName, RowGrid } from 'rolecall/internal/server/viewer/grid/grid-table'
import { countMatching, type FoundTexts, matchRows } from 'rolecall/internal/server/viewer/grid/match-rows'
import { compareTexts } from '../../texts/compare.ts'
import { gridTexts } from '../../texts/grid.ts'
import { showNumber } from '../../texts/numbers.ts'
import { rowsTexts } from '../../texts/rows.ts'
import { verdictTexts } from '../../texts/verdicts.ts'

type GridChipsProps = { grid: RowGrid; columns: readonly ColumnName[]; line: string; found: FoundTexts; onChange: (line: string) => void }

/** The words that fit the rows, each with the number that it would leave beside the other terms: a click adds the term, another one removes it. */
export function GridChips({ grid, columns, line, found, onChange }: GridChipsProps) {
  const words = columns.length > 1 ? wordsOfColumns : wordsOfOne
  const chips = useMemo(() => {
    const tokens = tokensOf(line)
    // Chips of one kind replace each other, as a row has one verdict.
    const others = readTerms(tokens.filter((token) => !words.includes(token)).join(' '))
    const { rows } = matchRows(grid, columns, others, found)
    const all = matchRows(grid, columns, [], found).rows
    return {
      all: rows.length,
      words: words.flatMap((word) => {
        const [term] = readTerms(word)
        const everywhere = countMatching(grid, columns, term!, all, found)
        const isUseful = word === 'answered' ? everywhere > 0 && everywhere < all.length : everywhere > 0
        return isUseful || tokens.includes(word)
          ? [{ word, rows: countMatching(grid, columns, term!, rows, found), isOn: tokens.includes(word) }]
          : []
      }),
    }
  }, [grid, columns, line, found])
  const choose = (word: string | undefined) => {
    const rest = tokensOf(line).filter((token) => !words.includes(token) || token === word)
    onChange(word === undefined ? rest.filter((token) => !words.includes(token)).join(' ') : toggledTerm(rest.join(' '), word))
  }
  return (
    <div class="grid-chips filter-buttons">
      <button type="button" class="chip v-all" aria-pressed={chips.words.every(({ isOn }) => !isOn)} onClick={() => choose(undefined)}>
        {rowsTexts().all} <span class="count">{showNumber(chips.all)}</span>
      </button>
      {chips.words.map(({ word, rows, isOn }) => (
        <button key={word} type="button" class={`chip v-${word}`} aria-pressed={isOn} title={meaningOf(word)} onClick={() => choose(word)}>
          {nameOf(word)} <span class="count">{showNumber(rows)}</span>
        </button>
      ))}
    </div>
  )
}

const wordsOfOne: readonly string[] = [...answerWords.filter((word) => word !== 'unread'), 'excluded']
const wordsOfColumns: readonly string[] = ['all:right', 'all:wrong', 'disagree', 'better', 'worse', 'changed', 'same', 'excluded']

function meaningOf(word: string): string | undefined {
  return rowsTexts().meanings[word]
}

/** The name of a word, as people say it. */
export function nameOf(word: string): string {
  const { verdicts, outcomes } = verdictTexts()
  const ui = rowsTexts()
  const { kinds } = compareTexts()
  const names: Readonly<Record<string, string>> = {
    ...outcomes,
    ...ui.words,
    right: verdicts.right,
    wrong: verdicts.wrong,
    scored: verdicts.scored,
    none: verdicts.none,
    better: kinds.b,
    worse: kinds.w,
    changed: kinds.o,
    same: kinds['='],
    excluded: gridTexts().excluded,
  }
  return names[word] ?? word
}
