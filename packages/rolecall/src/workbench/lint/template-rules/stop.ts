import { ownText } from '@rolecall/core/internal/masks'
import { assistant, type ProbeChat, user } from '../probe-chats.ts'
import { quote } from '../quote.ts'
import type { TemplateRule } from '../rule.ts'
import { codeAt } from '../template-subject.ts'

const answered: ProbeChat = { messages: [user(), assistant()] }
const continued: ProbeChat = { messages: [user(), assistant(), user('qzAgain')] }
const written = (end: string) => `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}${end}\n{% endfor %}`

/** A stop token that the model never writes. */
export const stopNeverWritten: TemplateRule = {
  id: 'stop-never-written',
  severity: 'warning',
  finds: "The template ends the assistant's turn with a token that does not stop generation (`eos_token`).",
  why: 'The model learnt to end turns as its template does. A server that stops at another token lets it continue, often with invented user turns.',
  fix: "make the token that ends the turn the tokenizer's `eos_token`, or list it as a stop token (`eos_token_id` in generation_config.json)",
  example: { bad: written('<|im_end|>'), good: written('</s>'), tokens: { eos_token: '</s>' } },
  check(subject) {
    const eos = subject.facts.tokens?.eos_token
    const { marker } = subject.end
    const chat = subject.write(answered)
    const own = chat && ownText(chat, 1)
    if (!eos || marker === undefined || chat === undefined || own === undefined) return []
    // Only markers are tokens; templates that end turns with plain text leave stopping to the server.
    if (!/^(?:<[^<>\s]+>|\[\/?[A-Z_]+\])$/.test(marker)) return []
    const after = chat.text.slice(own.end)
    const later = subject.write(continued)
    const laterOwn = later && ownText(later, 1)
    const between = later && laterOwn ? later.text.slice(laterOwn.end, ownText(later, 2)?.start) : ''
    const stops = [eos, ...(subject.facts.stops ?? [])]
    if (stops.some((stop) => stop === marker || after.includes(stop) || between.includes(stop))) return []
    const at = own.end + Math.max(0, after.indexOf(marker))
    return [
      {
        at: codeAt(chat, at),
        problem: `the assistant's turn ends with ${quote(marker)}, but generation stops at ${stops.map(quote).join(', ')}`,
        shown: { of: 'user, assistant', text: chat.text, mark: [at, at + marker.length] },
      },
    ]
  },
}

/** An assistant turn without an end. */
export const noEndOfTurn: TemplateRule = {
  id: 'no-end-of-turn',
  severity: 'note',
  finds: "The template writes nothing that ends the assistant's turn.",
  why: 'A model trained on such text never learns to stop, and the end of a turn cannot be detected.',
  fix: "write `eos_token`, or the model's end-of-turn token, after the assistant's text",
  example: {
    bad: '{% for m in messages %}{{ m.content }}{% endfor %}',
    good: '{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}',
    tokens: { eos_token: '</s>' },
  },
  check(subject) {
    const chat = subject.write(answered)
    if (chat === undefined || ownText(chat, 1) === undefined || subject.end.marker !== undefined) return []
    return [{ problem: "nothing follows the assistant's text", shown: { of: 'user, assistant', text: chat.text } }]
  },
}
