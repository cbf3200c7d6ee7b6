import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type PyValue, pyStr } from '../../../src/python/index.ts'
import { visibleText } from '../prompt/visible-text.tsx'

const shownOfAnswer = 20_000

/** Something that somebody said, in a box with a title; long ones are shown in part. */
export function Answer({ title, value, verdict }: { title: string; value: PyValue; verdict?: ComponentChildren }) {
  const text = value === null ? '' : pyStr(value)
  const [most, setMost] = useState(shownOfAnswer)
  return (
    <section class="answer" aria-label={title}>
      <h3>
        {title}
        {verdict}
      </h3>
      <pre class="text">{text === '' ? <span class="quiet">nothing</span> : visibleText(text.slice(0, most), false)}</pre>
      {text.length > most && (
        <button type="button" onClick={() => setMost(most + 10 * shownOfAnswer)}>
          {(text.length - most).toLocaleString('en')} characters more
        </button>
      )}
    </section>
  )
}
