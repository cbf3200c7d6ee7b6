import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type PyValue, pyStr } from '../../../../src/base/python/index.ts'
import { FormattedText } from '../../formatted/formatted-text.tsx'
import { shownAs } from '../../formatted/shown-as.ts'
import { Toggle } from '../../parts/toggle.tsx'
import { partWords } from '../../words/parts.ts'
import { rowWords } from '../../words/row.ts'

const shownOfAnswer = 20_000

type AnswerProps = {
  title: string
  value: PyValue
  verdict?: ComponentChildren
  /** What was read in it, to be marked. */
  mark?: string | undefined
  /** The title stands above it already. */
  isAlone?: boolean
}

/** Something that somebody said, in a box with a title: Markdown, JSON and formulas drawn as such, raw at a click; long ones in part. */
export function Answer({ title, value, verdict, mark, isAlone = false }: AnswerProps) {
  const text = value === null ? '' : pyStr(value)
  const [most, setMost] = useState(shownOfAnswer)
  const [isRaw, setRaw] = useState(false)
  const shown = text.slice(0, most)
  const as = shownAs(shown)
  return (
    <section class="answer" aria-label={title}>
      {(!isAlone || verdict || as !== 'plain') && (
        <h3>
          {isAlone ? <span /> : title}
          {verdict}
          {as !== 'plain' && (
            <Toggle on={isRaw} onChange={setRaw}>
              {rowWords().raw}
            </Toggle>
          )}
        </h3>
      )}
      {text === '' ? <p class="quiet">{rowWords().nothing}</p> : <FormattedText text={shown} as={isRaw ? 'plain' : as} mark={mark} />}
      {text.length > most && (
        <button type="button" onClick={() => setMost(most + 10 * shownOfAnswer)}>
          {partWords().more(text.length - most)}
        </button>
      )}
    </section>
  )
}
