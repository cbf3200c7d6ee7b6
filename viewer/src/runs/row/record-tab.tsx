import { type PyValue, stringifyJson } from '../../../../src/base/python/index.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { visibleText } from '../../prompt/visible-text.tsx'
import { partWords } from '../../words/parts.ts'
import { rowWords } from '../../words/row.ts'

/** Longer records are copied, not drawn. */
const mostDrawn = 200_000

/** Everything that the run wrote down about a row. */
export function RecordTab({ record }: { record: RowRecord }) {
  const text = stringifyJson(record as unknown as PyValue, { ensureAscii: false, indent: 2 })
  return (
    <section aria-label={rowWords().record}>
      <div class="toolbar">
        <h3>{rowWords().record}</h3>
        <span class="spread" />
        <CopyButton text={() => text} />
      </div>
      <pre class="extra">{visibleText(text.slice(0, mostDrawn), false)}</pre>
      {text.length > mostDrawn && <p class="quiet">{partWords().more(text.length - mostDrawn)}</p>}
    </section>
  )
}
