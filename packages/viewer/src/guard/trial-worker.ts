import { quirksOf } from '@rolecall/core/internal/fidelity'
import { compileFormat } from '@rolecall/core/internal/format'
import { parseJson } from '@rolecall/core/internal/python'
import { asWritten } from 'rolecall/internal/evaluation/run/ask/as-written'
import { compilePair } from 'rolecall/internal/evaluation/run/ask/plan-requests'
import { planPreview, rowPrompts } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { Trial } from './trial.ts'

// Renders in a worker, which can be stopped, what the page is about to render. Errors are ignored: the page will raise them again.

type Scope = { onmessage: (event: { data: { id: number; trial: Trial } }) => void; postMessage(id: number): void }
// The page's types declare a window; a worker's `postMessage` has no target origin.
const scope = globalThis as unknown as Scope

scope.onmessage = ({ data: { id, trial } }) => {
  try {
    render(trial)
  } catch {
    // As above.
  }
  scope.postMessage(id)
}

function render(trial: Trial): void {
  const { model, dataset, mode, question } = trial
  // Turn markers are detected by rendering, whatever the dataset uses.
  void compileFormat(model, quirksOf(dataset.compat)).markers
  asWritten(model, (written) => {
    const planned = compilePair(written, dataset, { model: 'model', dataset: 'dataset' })
    rowPrompts(planPreview(planned, { tokenizer: undefined }, mode), parseJson(question) as never)
  })
}
