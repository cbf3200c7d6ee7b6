import { quirksOf } from '../../../base/fidelity/quirks.ts'
import type { Conversation } from '../../../prompt/conversation/conversation.ts'
import { compileFormat } from '../../../prompt/format/compile-format.ts'
import type { Format } from '../../../prompt/format/format.ts'
import type { ModelConfig } from '../../config/config-schema.ts'
import type { RowPrompt } from './row-prompts.ts'

/** The bare format, as document 000 shows it: what a model's turns look like when nobody has said anything yet. */
export function formatPrompts(model: ModelConfig): { format: Format; prompts: RowPrompt[] } {
  const format = compileFormat(model, quirksOf(undefined))
  const kind = Array.isArray(model.meta_template) ? 'chat' : 'round'
  // A format that writes turns one by one shows nothing where none are.
  const roles = format.traits.turnsAlone ? ['system', 'user', 'assistant'] : []
  const items = roles.map((role) => ({ role, path: 'format' }))
  const conversation: Conversation = { kind: 'dialogue', sections: [{ kind, items }], notes: [] }
  const prompts = (['gen', 'ppl'] as const).map((mode): RowPrompt => {
    const prompt = format.render(conversation, { want: mode === 'gen' ? 'generate' : 'complete' })
    return { mode, rendered: { conversation, prompt: { ...prompt, notes: [] } }, examples: { used: 0, dropped: 0 } }
  })
  return { format, prompts }
}
