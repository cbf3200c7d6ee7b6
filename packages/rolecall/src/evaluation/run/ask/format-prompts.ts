import type { RenderedPrompt } from '@rolecall/core/internal/compile'
import type { Conversation } from '@rolecall/core/internal/conversation'
import { quirksOf } from '@rolecall/core/internal/fidelity'
import type { Format } from '@rolecall/core/internal/format'
import { compileFormat } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../config/config-schema.ts'

/** A prompt without messages. */
type BarePrompt = { mode: 'gen' | 'ppl'; rendered: RenderedPrompt; examples: { used: 0; dropped: 0 } }

/** The bare format, as in document 000: a model's turns without content. */
export function formatPrompts(model: ModelConfig): { format: Format; prompts: BarePrompt[] } {
  const format = compileFormat(model, quirksOf(undefined))
  const kind = Array.isArray(model.meta_template) ? 'chat' : 'round'
  // A format that renders each turn separately renders nothing if there are none.
  const roles = format.traits.turnsAlone ? ['system', 'user', 'assistant'] : []
  const items = roles.map((role) => ({ role, path: 'format' }))
  const conversation: Conversation = { kind: 'dialogue', sections: [{ kind, items }], notes: [] }
  const prompts = (['gen', 'ppl'] as const).map((mode): BarePrompt => {
    const prompt = format.render(conversation, { want: mode === 'gen' ? 'generate' : 'complete' })
    return { mode, rendered: { conversation, prompt: { ...prompt, notes: [] } }, examples: { used: 0, dropped: 0 } }
  })
  return { format, prompts }
}
