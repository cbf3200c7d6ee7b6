import { textOf } from '../../../base/text/index.ts'
import type { Ask } from '../format.ts'
import type { PlainChat, PlainTools } from '../plain-chat.ts'
import type { InternLM2Layout } from './internlm2-layout.ts'
import type { InternLM2Options } from './internlm2-options-schema.ts'
import { writeCall } from './write-call.ts'
import { writeTools } from './write-tools.ts'

/** How plain chats are written: every turn in the same way. Whether a default system text is needed depends on the chat. */
export function internlm2PlainChat(layout: InternLM2Layout, options: InternLM2Options, { want }: Ask): PlainChat | undefined {
  // Open or omitted turns depend on the last turns.
  if (options.system !== undefined || (want !== 'generate' && want !== 'complete')) return undefined
  const { turn, bos } = layout
  const tools = plainTools(layout, options)
  const begin = (role: string): string => `${turn.start}${role}\n`
  return {
    roles: ['user', 'assistant', 'system', 'environment'],
    alternates: false,
    period: 1,
    system: 'turn',
    start: (_, first) => ((options.bos ?? 'in-prompt') === 'in-prompt' ? bos : '') + begin(first),
    begin,
    end: () => `${turn.end}\n`,
    ...(tools ? { tools } : {}),
    reply: want === 'generate' ? begin('assistant') : '',
  }
}

function plainTools({ turn, action }: InternLM2Layout, options: InternLM2Options): PlainTools | undefined {
  if (!action) return undefined
  const { end_newlines: newlines = [], call_key: key = 'parameters' } = options
  const [begin, end] = [`${action.start}${action.plugin}\n`, `${action.end}${newlines.includes('plugin-call') ? '\n' : ''}`]
  const endOfTools = `${newlines.includes('tools') ? '\n' : ''}${turn.end}\n`
  return {
    list: (tools) => `${turn.start}system name=${action.plugin}\n${textOf(writeTools(tools, options.tools_layout ?? 'line'))}${endOfTools}`,
    place: options.tools_place ?? 'after-first-system',
    call: (name, given) => begin + writeCall({ name, arguments: given, path: '' }, key) + end,
    result: `${turn.start}environment name=${action.plugin}\n`,
  }
}
