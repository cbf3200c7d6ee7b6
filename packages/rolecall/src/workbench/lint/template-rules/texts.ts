import type { JinjaExpression, JinjaStatement, Span } from '@rolecall/core/internal/jinja'
import { assistant, type ProbeChat, system, user } from '../probe-chats.ts'
import { around, quote } from '../quote.ts'
import type { RuleMatch, TemplateRule } from '../rule.ts'
import { nodesIn } from '../template-code.ts'
import type { TemplateSubject } from '../template-subject.ts'

const loop = (content: string) => `{% for m in messages %}<|{{ m.role }}|>${content}{% endfor %}`

type Said = { who: string; chat(text: string): ProbeChat }

const speakers: readonly Said[] = [
  { who: 'the user', chat: (text) => ({ messages: [user(text), assistant(), user('qzAgain')] }) },
  { who: 'the system', chat: (text) => ({ messages: [system(text), user()] }) },
  { who: 'the assistant', chat: (text) => ({ messages: [user(), assistant(text), user('qzAgain')] }) },
]

const spaced = '  qzOpen\n  middle  \n\nqzClose  \n'

/** Whitespace that is stripped. */
export const textTrimmed: TemplateRule = {
  id: 'text-trimmed',
  severity: 'note',
  finds: 'Whitespace at the start or end of a message is stripped.',
  why: 'Code and prefixes that depend on it change, and the model sees its own replies altered in the next turn. Many models are trained this way.',
  fix: 'write the content without `| trim`, unless the model was trained with it',
  example: { bad: loop('{{ m.content | trim }}'), good: loop('{{ m.content }}') },
  check(subject) {
    const cut = speakers.filter(({ chat }) => {
      const written = subject.write(chat(spaced))
      return written?.text.includes(spaced.trim()) && !written.text.includes(spaced)
    })
    if (cut.length === 0) return []
    const written = subject.write(cut[0]!.chat(spaced))!
    const at = written.text.indexOf('qzOpen')
    return [
      {
        at: trimIn(subject),
        problem: `whitespace around messages of ${cut.map(({ who }) => who).join(', ')} is stripped`,
        shown: { of: `${cut[0]!.who} says ${quote(spaced)}`, text: written.text, mark: around(written.text, at, spaced.trim().length) },
      },
    ]
  },
}

function replaces(node: JinjaStatement | JinjaExpression): boolean {
  return (
    (node.kind === 'filter' && /^(?:replace|e|escape|tojson|striptags)$/.test(node.name)) ||
    (node.kind === 'call' && node.callee.kind === 'attribute' && node.callee.name === 'replace')
  )
}

function trimIn(subject: TemplateSubject): Span | undefined {
  return [...nodesIn(subject.body)].find(
    (node) =>
      (node.kind === 'filter' && node.name === 'trim') ||
      (node.kind === 'call' && node.callee.kind === 'attribute' && /^[lr]?strip$/.test(node.callee.name)),
  )
}

/** Texts that templates have been seen to change. */
const delicate = [
  'qzOpen "quoted" and \'single\' qzClose',
  'qzOpen <b>bold</b> & more qzClose',
  'qzOpen back\\slash \\n qzClose',
  'qzOpen {{ braces }} {% tags %} qzClose',
  'qzOpen one\n\n\ntwo\ttabs   spaces qzClose',
  'qzOpen 天气 é 🎉 qzClose',
  'qzOpen <think>inner</think> rest qzClose',
  'qzOpen <tool_call>{"name": "x"}</tool_call> qzClose',
]

/** Message text that is altered. */
export const textAltered: TemplateRule = {
  id: 'text-altered',
  severity: 'warning',
  finds: 'Message text is altered: something is replaced, escaped or removed (other than surrounding whitespace).',
  why: "The model does not receive the user's actual text. Reasoning removed from assistant messages is covered by another rule.",
  fix: 'write the content unchanged; strip reasoning only from assistant messages',
  example: { bad: loop("{{ m.content | replace('<', '&lt;') }}"), good: loop('{{ m.content }}') },
  check(subject) {
    return speakers.flatMap(({ who, chat }) => {
      const texts = who === 'the assistant' ? delicate.filter((text) => !/<think>|<tool_call>/.test(text)) : delicate
      const changed = texts.flatMap((text) => alteration(subject, who, chat(text), text) ?? [])
      return changed.slice(0, 1)
    })
  },
}

function alteration(subject: TemplateSubject, who: string, chat: ProbeChat, text: string): RuleMatch | undefined {
  const written = subject.write(chat)
  // Dropped and rejected texts are covered by other rules.
  if (written === undefined || !/qzOpen|qzClose/.test(written.text) || written.text.includes(text)) return undefined
  const start = Math.max(0, written.text.search(/qzOpen|qzClose/))
  const end = written.text.indexOf('qzClose', start) < 0 ? start + 40 : written.text.indexOf('qzClose', start) + 'qzClose'.length
  return {
    at: [...nodesIn(subject.body)].find(replaces),
    problem: `a message of ${who} is altered: ${quote(text)} becomes ${quote(written.text.slice(start, end))}`,
    shown: { of: `${who} says ${quote(text)}`, text: written.text, mark: [start, end] },
  }
}
