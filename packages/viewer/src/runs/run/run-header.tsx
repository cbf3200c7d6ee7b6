import { visibleText } from '../../prompt/visible-text.tsx'
import { headerFacts } from './header-facts.ts'
import type { RunPageProps } from './run-page.tsx'

/** What was run: each model with its settings, then rows, tokens, cost, time and truncated answers of the whole run. */
export function RunHeader(props: RunPageProps) {
  return (
    <dl class="run-header">
      {headerFacts(props).map(([name, text, language]) => (
        <div key={name}>
          <dt>{visibleText(name, false)}</dt>
          <dd lang={language}>{visibleText(text, false)}</dd>
        </div>
      ))}
    </dl>
  )
}
