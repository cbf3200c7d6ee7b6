import type { InternLM2Options } from '../../config/internlm2-options-schema.ts'
import type { Ask } from '../format.ts'
import type { PlainChat } from '../plain-chat.ts'
import type { InternLM2Layout } from './layout.ts'

/** How plain chats are written: every turn in the same way. Whether a default system text is due depends on the chat. */
export function internlm2PlainChat({ turn, bos }: InternLM2Layout, options: InternLM2Options, { want }: Ask): PlainChat | undefined {
  // What is left open or left out depends on the last turns.
  if (options.system !== undefined || (want !== 'generate' && want !== 'complete')) return undefined
  const begin = (role: string): string => `${turn.start}${role}\n`
  return {
    roles: ['user', 'assistant', 'system', 'environment'],
    alternates: false,
    period: 1,
    system: 'turn',
    start: (_, first) => ((options.bos ?? 'in-prompt') === 'in-prompt' ? bos : '') + begin(first),
    begin,
    end: () => `${turn.end}\n`,
    reply: want === 'generate' ? begin('assistant') : '',
  }
}
