import { PromptError } from '@rolecall/core/internal/errors'
import { visibleText } from '../prompt/visible-text.tsx'

/** A `PromptError` with location, problem and fix; other errors as their message. */
export function ErrorBox({ error }: { error: Error }) {
  if (!(error instanceof PromptError)) {
    return (
      <div class="error" role="alert">
        <p>{visibleText(error.message, false)}</p>
      </div>
    )
  }
  return (
    <div class="error" role="alert">
      <code>{visibleText(error.where, false)}</code>
      <p>{visibleText(error.problem, false)}</p>
      <p class="fix">→ {visibleText(error.fix, false)}</p>
    </div>
  )
}
