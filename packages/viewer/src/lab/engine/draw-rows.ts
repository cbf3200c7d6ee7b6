import { modelPrompt } from '@rolecall/core/internal/model'
import { titleOf } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import { asYaml } from '../config/read-pane.ts'
import { renderConfig } from '../config/render-config.ts'
import type { ColumnQuestion, Drawn, ModelSettings, RowConversation } from './contract.ts'
import { compared, drawPrompt } from './draw-prompts.ts'
import { problemOf } from './problem-of.ts'
import { tokenizerOf } from './tokenizers.ts'

/** The prompt of a row for each column: the dataset's template in each model's format. */
export async function drawRows(columns: readonly ColumnQuestion[], said: RowConversation): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (const column of columns) drawn.push(await drawRow(column, said))
  return compared(drawn)
}

async function drawRow({ name, settings, tokenizer: source }: ColumnQuestion, said: RowConversation): Promise<Drawn> {
  try {
    const { problems, error, result } = await renderConfig({ ...said, model: modelText(settings) })
    const first = [...problems.row, ...problems.dataset, ...problems.model][0]
    const pane = problems.row.length > 0 ? 'row' : problems.dataset.length > 0 ? 'dataset' : 'model'
    if (first) return { problem: { where: pane, problem: first.message, fix: first.fix ?? '', code: 'config', at: [first.from, first.to] } }
    if (error) return { problem: problemOf(error) }
    const shown = result?.prompts[0]
    if (!result || !shown) return { problem: { where: 'dataset', problem: 'there is no prompt', fix: '', code: 'no-prompt' } }
    const tokenizer = source && (await tokenizerOf(source))
    const model = { name, format: result.format, tokenizer }
    const labels = result.prompts.map((prompt, index) => titleOf(prompt) ?? String(index + 1))
    return { prompt: drawPrompt(model, modelPrompt(model, shown.rendered.prompt), { labels }) }
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

/** A model as its reader wrote it, or as a config would have it. */
function modelText({ config, ...settings }: ModelSettings): string {
  if (typeof config !== 'string') return asYaml(settings)
  return Object.keys(settings).length === 0 ? config : `${config.trimEnd()}\n${asYaml(settings)}`
}
