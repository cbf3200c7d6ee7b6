import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { FormattedText } from '../../formatted/formatted-text.tsx'
import type { MarkedRange } from '../../formatted/marked-range.ts'
import { shownAs } from '../../formatted/shown-as.ts'
import { Toggle } from '../../parts/toggle.tsx'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'

const shownOfAnswer = 20_000

/** Whose answers these are, where those of several models are on one page. */
export const AnswerOwner = createContext('')

type AnswerProps = {
  title: string
  value: PyValue
  verdict?: ComponentChildren
  /** The extracted part, to highlight. */
  mark?: MarkedRange | undefined
  /** The title is already shown above. */
  isAlone?: boolean
}

/** A titled box with a text: Markdown, JSON and formulas rendered, raw on click; long texts truncated. */
export function Answer({ title, value, verdict, mark, isAlone = false }: AnswerProps) {
  const text = value === null ? '' : pyStr(value)
  const [most, setMost] = useState(shownOfAnswer)
  const [isRaw, setRaw] = useState(false)
  const owner = useContext(AnswerOwner)
  const shown = text.slice(0, most)
  const as = shownAs(shown)
  return (
    <section class="answer" aria-label={owner === '' ? title : `${owner}: ${title}`}>
      {(!isAlone || verdict || as !== 'plain') && (
        <h3>
          {isAlone ? <span /> : title}
          {verdict}
          {as !== 'plain' && (
            <Toggle on={isRaw} onChange={setRaw}>
              {rowTexts().raw}
            </Toggle>
          )}
        </h3>
      )}
      {text === '' ? <p class="quiet">{rowTexts().nothing}</p> : <FormattedText text={shown} as={isRaw ? 'plain' : as} mark={mark} />}
      {text.length > most && (
        <button type="button" onClick={() => setMost(most + 10 * shownOfAnswer)}>
          {partTexts().more(text.length - most)}
        </button>
      )}
    </section>
  )
}
