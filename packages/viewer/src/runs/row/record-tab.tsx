import { type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { CopyButton } from '../../parts/copy.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { partTexts } from '../../texts/parts.ts'
import { rowTexts } from '../../texts/row.ts'

/** Longer records can only be copied. */
const mostDrawn = 200_000

/** The complete record of a row. */
export function RecordTab({ record }: { record: RowRecord }) {
  const text = stringifyJson(record as PyValue, { ensureAscii: false, indent: 2 })
  return (
    <section aria-label={rowTexts().record}>
      <div class="toolbar">
        <h3>{rowTexts().record}</h3>
        <span class="spread" />
        <CopyButton text={() => text} />
      </div>
      <pre class="extra">{visibleText(text.slice(0, mostDrawn), false)}</pre>
      {text.length > mostDrawn && <p class="quiet">{partTexts().more(text.length - mostDrawn)}</p>}
    </section>
  )
}
