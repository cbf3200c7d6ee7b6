import { compileChat } from '@rolecall/core/internal/compile'
import type { Chat, Row } from '@rolecall/core/internal/conversation'
import { compileDataset, examplesOf, readChat } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { quirksOf } from '@rolecall/core/internal/fidelity'
import type { Format } from '@rolecall/core/internal/format'
import { compileFormat } from '@rolecall/core/internal/format'
import { isDict } from '@rolecall/core/internal/python'
import { registerLmEval } from 'rolecall/internal/compat/lm-eval/register'
import { checkConfig } from 'rolecall/internal/evaluation/config/check-config'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { chooseExamples, choosesByRow } from 'rolecall/internal/evaluation/dataset/retrieve/choose-examples'
import { asWritten, withNotes } from 'rolecall/internal/evaluation/run/ask/as-written'
import type { RequestPlan } from 'rolecall/internal/evaluation/run/ask/inferencer'
import { compilePair } from 'rolecall/internal/evaluation/run/ask/plan-requests'
import { planPreview, type RowPrompt, rowPrompts } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import { localPath } from '../../prompt/local-path.ts'
import { type ConfigTexts, type Pane, panes } from './config-texts.ts'
import { keysOf, type Problem, type ReadPane, rangeOf, readPane } from './read-pane.ts'

registerLmEval()

/** The result of rendering a row of a dataset for a model. */
type Rendered = {
  problems: Record<Pane, Problem[]>
  /** An error that belongs to none of the texts. */
  error?: Error
  result?: {
    plan?: RequestPlan
    prompts: RowPrompt[]
    format: Format
    model: ModelConfig
    dataset: DatasetConfig
    row: Row
    examples: readonly Row[]
    notes: readonly Note[]
  }
}

/** Renders a row for a model, or returns the problems of the three texts with their positions. */
export async function renderConfig(state: ConfigTexts): Promise<Rendered> {
  const read = Object.fromEntries(panes.map((pane) => [pane, readPane(state[pane])])) as Record<Pane, ReadPane>
  const problems = Object.fromEntries(panes.map((pane) => [pane, [...read[pane].problems]])) as Record<Pane, Problem[]>
  const rendered: Rendered = { problems }
  const isChat = isDict(read.dataset.value) && 'messages' in read.dataset.value
  const model = (read.model.value ?? {}) as ModelConfig
  const dataset = (read.dataset.value ?? {}) as DatasetConfig
  const row = (read.row.value ?? {}) as Row
  // Texts are checked separately, so that problems in all of them are shown.
  const attempt = <Value>(pane: Pane, work: () => Value): Value | undefined => {
    if (read[pane].problems.length > 0) return undefined
    try {
      return work()
    } catch (error) {
      tell(rendered, read, error as Error, pane)
      return undefined
    }
  }
  for (const pane of panes) {
    if (read[pane].problems.length === 0 && !isDict(read[pane].value ?? {})) {
      problems[pane].push({ from: 0, to: Math.max(1, state[pane].length), message: 'an object with keys and values is required here' })
    }
  }
  if (problems.model.length + problems.row.length + problems.dataset.length > 0) return rendered
  const format = attempt('model', () => {
    checkConfig({ models: [model] }, '')
    return compileFormat(model, quirksOf(dataset.compat))
  })
  const warnings = isChat
    ? []
    : attempt('dataset', () => {
        const { warnings: found } = checkConfig({ datasets: [dataset] }, '')
        compileDataset(dataset, quirksOf(dataset.compat))
        return found
      })
  if (!format || !warnings) return rendered
  try {
    if (isChat) {
      // Rendering checks it.
      const chat = read.dataset.value as Chat
      const { value: prompt, notes } = asWritten(model, (written) => compileChat(written).render(chat))
      const shown: RowPrompt = { mode: 'gen', rendered: { conversation: readChat(chat), prompt }, examples: { used: 0, dropped: 0 } }
      const prompts = withNotes([shown], notes)
      return { ...rendered, result: { prompts, format, model, dataset: { infer_cfg: {} }, row: {}, examples: [], notes: [] } }
    }
    const train = (dataset.train_rows ?? dataset.rows ?? []) as Row[]
    const examples = choosesByRow(dataset)
      ? await (await chooseExamples(dataset, train)).examplesFor(row, 0)
      : examplesOf(dataset, (id) => train[id])
    const { value, notes } = asWritten(model, (written) => {
      const planned = compilePair(written, dataset, { model: 'model', dataset: 'dataset' })
      const plan = planPreview(planned, { tokenizer: undefined }, state.mode === '' ? undefined : state.mode)
      return { plan, prompts: rowPrompts(plan, { row, examples }), format: planned.maker.format }
    })
    const prompts = withNotes(value.prompts, notes)
    return { ...rendered, result: { ...value, prompts, model, dataset, row, examples, notes: warnings } }
  } catch (error) {
    tell(rendered, read, error as Error, undefined)
    return rendered
  }
}

/** Assigns an error to its position. */
function tell(rendered: Rendered, read: Record<Pane, ReadPane>, error: Error, pane: Pane | undefined): void {
  if (!(error instanceof PromptError)) {
    rendered.error = error
    return
  }
  const all = keysOf(localPath(error.where))
  const [first] = all
  const keys = first === 'models' || first === 'datasets' ? all.slice(2) : all
  const found = first === 'models' ? 'model' : first === 'datasets' ? 'dataset' : (pane ?? paneWith(read, keys))
  if (!found) {
    rendered.error = error
    return
  }
  const [from, to] = rangeOf(read[found].document, keys)
  rendered.problems[found].push({ from, to, message: error.problem, fix: error.fix })
}

/** The text that contains a path. */
function paneWith(read: Record<Pane, ReadPane>, keys: readonly (string | number)[]): Pane | undefined {
  const [first] = keys
  return (['dataset', 'model', 'row'] as const).find(
    (pane) => isDict(read[pane].value) && first !== undefined && Object.hasOwn(read[pane].value, first),
  )
}
