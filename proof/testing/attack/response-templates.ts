import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { ResponseParser, readResponseTemplate } from '../../../packages/core/src/reply/response-template/index.ts'
import type { Attack, Chance } from './attack.ts'

const patterns = [
  '(a+)+$',
  '(a|a)*b',
  '(?:a*)*b',
  String.raw`\s*\s*\s*\s*y`,
  '(?=(a+))a*b',
  'a{1000}{1000}',
  '(?<=a*)b',
  '<t>',
  '$',
  '',
  '(?P<name>a*)!',
]
const names = ['content', 'tool_calls', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '0']
const contents = ['text', 'json', 'xml-inline', 'kv-lines', 'int', 'float', 'bool', 'none']
const texts = [
  'a',
  ' ',
  '\n',
  '<t>',
  '</t>',
  '{"a":',
  '[',
  '"',
  '\\u0000',
  'a: b\n',
  '<x>',
  '</x>',
  '😀',
  '\ud800',
  '{"__proto__":{"polluted":1}}',
]

/** The model named in a template's transform holds what a reply gave it: nested, and from prototypes. */
const transforms = ['{content}', '{__proto__}', '{constructor}', { __proto__: '{content}' }, [['{content}']], deep(2000)]

function deep(depth: number): unknown {
  let value: unknown = '{content}'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

function templateOf(chance: Chance): object {
  const field = () => ({
    ...(chance.once(2) ? { open_pattern: chance.pick(patterns) } : { open: chance.pick(texts) }),
    ...(chance.once(2) ? { close_pattern: chance.pick(patterns) } : { close: chance.pick(texts) }),
    ...(chance.once(2) ? { content: chance.pick(contents) } : {}),
    ...(chance.once(3) ? { repeats: true } : {}),
    ...(chance.once(3) ? { transform: chance.pick(transforms) } : {}),
  })
  const fields = Object.fromEntries([...Array(1 + chance.number(4))].map(() => [chance.pick(names), field()]))
  return JSON.parse(JSON.stringify({ start_anchor_pattern: chance.pick(patterns), fields })) as object
}

/** Response templates that come with a model, and replies written for them, whole and in pieces. */
export const responseTemplates: Attack = {
  name: 'response templates',
  holds: 'a template is refused, or reads a reply of 200,000 characters, at once and in pieces, in 10 s, and changes no prototype',
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const simple = { start_anchor: 'A:', fields: { content: { close: '<end>' } } }
    const control = new ResponseParser(simple, { prefix: '' })
    control.feed('Hi<e')
    control.feed('nd>')
    if (JSON.stringify(control.finish().message) !== '{"content":"Hi"}') gotThrough('an honest template does not read its reply')
    while (goesOn()) {
      const given = templateOf(chance)
      const piece = [...Array(1 + chance.number(4))].map(() => chance.pick(texts)).join('')
      const reply = chance.once(2) ? piece.repeat(Math.ceil(200_000 / piece.length)) : piece.repeat(1 + chance.number(50))
      const how = () => `${JSON.stringify(given).slice(0, 600)} with ${JSON.stringify(piece)}, ${reply.length} characters`
      const started = performance.now()
      try {
        const template = readResponseTemplate(given)
        // Lookbehind without a bound keeps the reply, which every piece then copies (SECURITY.md, known gaps): pieces of long ones are longer.
        const results = [reply.length, (reply.length > 2000 ? 100 : 1) + chance.number(997)].map((step) => {
          const parser = new ResponseParser(template, { prefix: chance.once(8) ? reply : '' })
          for (let at = 0; at < reply.length; at += step) parser.feed(reply.slice(at, at + step))
          return parser.finish()
        })
        void results
      } catch (error) {
        if (!(error instanceof PromptError)) gotThrough(`${how()}: ${String(error).slice(0, 300)}`)
      }
      tried()
      const milliseconds = performance.now() - started
      if (milliseconds > 10_000 * slack) gotThrough(`${how()}: ${Math.round(milliseconds)} ms`)
      if ('polluted' in {}) gotThrough(`${how()}: a prototype was changed`)
    }
  },
}
