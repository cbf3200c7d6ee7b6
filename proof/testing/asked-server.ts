import { type Prompt, promptText } from '@rolecall/core/internal/format'
import type { ModelConfig } from '../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { LanguageModel, ModelReply } from '../../packages/rolecall/src/model/language-model/language-model.ts'
import { type AppOptions, createApp } from '../../packages/rolecall/src/server/create-app.ts'
import { scriptedModel } from './scripted-model.ts'

/** Writes everything that a message can have; calls as Hermes does. */
export const everyField = `{% for tool in tools or [] %}[{{ tool | tojson }}]
{% endfor %}{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.reasoning_content or '' }}{{ message.content or '' }}{% for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

export type Body = { [key: string]: unknown }
export type Answer = { status: number; body: Body; events: Body[]; prompt: string; problems: readonly string[] }

export const callOf = (name: string, given: object) => `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`

/** A server whose model says `reply`; a reply may also be one that an upstream server has parsed. */
export function serverOf(
  reply: string | Partial<ModelReply> = 'ok',
  more: Partial<AppOptions> & { config?: ModelConfig; model?: Partial<LanguageModel> } = {},
) {
  const { config = { chat_template: everyField }, model: parts, ...options } = more
  let last: Prompt | undefined
  const scripted = scriptedModel({
    says(prompt) {
      last = prompt
      return typeof reply === 'string' ? [reply.slice(0, 9), reply.slice(9)] : []
    },
  })
  const model: LanguageModel = {
    ...scripted,
    async generate(prompt, given) {
      const written = await scripted.generate(prompt, given)
      return typeof reply === 'string' ? written : { ...written, ...reply }
    },
    ...parts,
  }
  const app = createApp({ models: [{ model, name: 'm', config }], ...options })
  return async (path: string, body: Body): Promise<Answer> => {
    const response = await app.request(path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) })
    const text = await response.text()
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Body)
    const whole = events.length === 0 ? (JSON.parse(text) as Body) : {}
    return {
      status: response.status,
      body: whole,
      events,
      prompt: last?.kind === 'completion' ? promptText(last) : '',
      problems: problemsIn([whole, ...events]),
    }
  }
}

function problemsIn(values: readonly unknown[]): readonly string[] {
  return (values as readonly Body[]).flatMap(({ problems = [], choices = [], response }) => [
    ...(problems as string[]),
    ...problemsIn(choices as Body[]),
    ...(response === undefined ? [] : problemsIn([response])),
  ])
}
