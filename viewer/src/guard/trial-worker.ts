import { quirksOf } from '../../../src/base/fidelity/fidelity.ts'
import { parseJson } from '../../../src/base/python/index.ts'
import { compilePair } from '../../../src/evaluation/run/ask/plan-requests.ts'
import { planPreview, rowPrompts } from '../../../src/evaluation/run/ask/row-prompts.ts'
import { compileFormat } from '../../../src/prompt/format/compile-format.ts'
import { renderPlayground } from '../playground/render-playground.ts'
import type { Trial } from './trial.ts'

// Renders what the page is about to render, where it can be stopped. Mistakes are the page's to tell: it will make them again.

type Scope = { onmessage: (event: { data: { id: number; trial: Trial } }) => void; postMessage(id: number): void }
const scope = globalThis as unknown as Scope

scope.onmessage = async ({ data: { id, trial } }) => {
  try {
    await render(trial)
  } catch {
    // As above.
  }
  scope.postMessage(id)
}

async function render(trial: Trial): Promise<void> {
  if (trial.kind === 'playground') {
    await renderPlayground(trial.state)
    return
  }
  const { model, dataset, mode, question } = trial
  // What marks turns is found by rendering, whatever the dataset asks.
  void compileFormat(model, quirksOf(dataset.compat)).markers
  const planned = compilePair(model, dataset, { model: 'model', dataset: 'dataset' })
  rowPrompts(planPreview(planned, { tokenizer: undefined }, mode), parseJson(question) as never)
}
