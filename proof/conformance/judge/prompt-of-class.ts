import { quirksOf } from '../../../packages/core/src/base/fidelity/quirks.ts'
import { dictEntries, type PyDict } from '../../../packages/core/src/base/python/index.ts'
import { buildConversation } from '../../../packages/core/src/prompt/conversation/build-conversation.ts'
import { compileDataset } from '../../../packages/core/src/prompt/conversation/compile-dataset.ts'
import { type Item, isTurn } from '../../../packages/core/src/prompt/conversation/conversation.ts'
import { withoutTemplateClass } from '../../../packages/rolecall/src/compat/opencompass/import/without-template-class.ts'
import { BadData } from '../../../packages/rolecall/src/compat/opencompass/loaders/bad-data.ts'
import { olympiadPrompt } from '../../../packages/rolecall/src/compat/opencompass/loaders/families/olympiad-prompt.ts'
import { textOf } from '../../../packages/rolecall/src/formats.ts'
import { PromptError } from '../../../packages/rolecall/src/index.ts'

/** What a row becomes in a template that is a class, in the shape of the reference: turns with marks of sections, or chat messages. */
export function promptOfClass(type: string, row: PyDict): unknown[] {
  const dataset = withoutTemplateClass({ type: 'OlympiadBenchDataset', infer_cfg: { prompt_template: { type } } })
  const templates = compileDataset(dataset as never, quirksOf('opencompass'))
  const filled = new Map([...dictEntries(row), ['prompt', promptOf(row)]])
  const conversation = buildConversation(templates, { row: filled, mode: 'gen' })
  const sections = conversation.kind === 'dialogue' ? conversation.sections : []
  return sections.flatMap(({ kind, items }) => {
    if (kind === 'chat') return items.map((item) => turnOf(item, 'content'))
    return [{ section: kind, pos: 'begin' }, ...items.map((item) => turnOf(item, 'prompt')), { section: kind, pos: 'end' }]
  })
}

function turnOf(item: Item, key: 'prompt' | 'content'): object {
  return isTurn(item) ? { role: item.role, [key]: textOf(item.content ?? []) } : {}
}

/** Its loader writes it, and reports a row that it cannot write. */
function promptOf(row: PyDict): string {
  try {
    return olympiadPrompt(new Map(dictEntries(row)))
  } catch (error) {
    if (error instanceof BadData) throw new PromptError('bad-data', { where: 'the row', problem: error.message, fix: 'correct it' })
    throw error
  }
}
