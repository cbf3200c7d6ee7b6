import type { JinjaStatement, JinjaTarget } from '@rolecall/core/internal/jinja'

/** A loop of a template that writes messages, by its places in the source. */
export type MessageLoop = {
  /** The message in it, as an expression. */
  message: string
  /** The range between `{% for … %}` and `{% endfor %}`. */
  body: readonly [start: number, end: number]
  /** `-` or `+` where the tags have it, which decides about white space. */
  opens: string
  closes: string
  line: number
}

/**
 * The loops over messages that write text, where `{% generation %}` may stand: transformers counts the characters in front of it, which it cannot
 * inside a macro or a block whose text is kept.
 */
export function messageLoops(source: string, body: readonly JinjaStatement[]): MessageLoop[] {
  return body.flatMap((statement): MessageLoop[] => {
    if (statement.kind === 'if')
      return [...statement.branches.map((branch) => branch.body), statement.otherwise].flatMap((inner) => messageLoops(source, inner))
    if (statement.kind === 'with') return messageLoops(source, statement.body)
    if (statement.kind !== 'for') return []
    const loop = asMessageLoop(source, statement)
    return loop === undefined ? messageLoops(source, statement.body) : [loop]
  })
}

function asMessageLoop(source: string, loop: JinjaStatement & { kind: 'for' }): MessageLoop | undefined {
  const counted = nameOf(loop.target)
  if (counted === undefined || loop.recursive || loop.otherwise.length > 0 || !writes(loop.body)) return undefined
  const message = messageAt(source, loop.body, counted) ?? counted
  const opened = source.indexOf('%}', loop.start)
  const closed = source.lastIndexOf('{%', loop.end)
  const text = source.slice(opened, closed)
  const readsRole = message !== counted || new RegExp(String.raw`\b${counted}\s*(?:\.\s*role\b|\[\s*['"]role['"]\s*\]|\.get\()`).test(text)
  if (opened < 0 || closed < opened || !readsRole) return undefined
  return {
    message,
    body: [opened + 2, closed],
    opens: signIn(source[opened - 1]),
    closes: signIn(source[closed + 2]),
    line: source.slice(0, loop.start).split('\n').length,
  }
}

/** `messages[index]`, where a loop counts and takes the message from the list. */
function messageAt(source: string, body: readonly JinjaStatement[], counted: string): string | undefined {
  for (const statement of body) {
    if (statement.kind !== 'set' || statement.value.kind !== 'item') continue
    const { start, end, key } = statement.value
    if (key.kind === 'name' && key.name === counted) return source.slice(start, end)
  }
  return undefined
}

function nameOf(target: JinjaTarget): string | undefined {
  if (target.kind === 'name') return target.name
  // `for index, message in …`
  const last = target.kind === 'tuple' ? target.items.at(-1) : undefined
  return last?.kind === 'name' ? last.name : undefined
}

function signIn(character: string | undefined): string {
  return character === '-' || character === '+' ? character : ''
}

function writes(body: readonly JinjaStatement[]): boolean {
  return body.some((statement) => {
    switch (statement.kind) {
      case 'output':
      case 'call-block':
      case 'filter-block':
        return true
      case 'data':
        return statement.text.trim() !== ''
      case 'if':
        return [...statement.branches.map((branch) => branch.body), statement.otherwise].some(writes)
      case 'for':
      case 'with':
      case 'generation':
        return writes(statement.body)
      default:
        return false
    }
  })
}

/**
 * A template without its own marks, which become comments with the same white space around them. Words in comments that look like marks stay.
 */
export function withoutMarks(source: string, body: readonly JinjaStatement[]): string {
  const tags = marksIn(body).flatMap(({ start, end }) => [source.indexOf('{%', start), source.lastIndexOf('{%', end)])
  let unmarked = source
  for (const start of tags) {
    const end = source.indexOf('%}', start) + 2
    const tag = source.slice(start, end).replace(/^\{%/, '{#').replace(/%\}$/, '#}')
    unmarked = `${unmarked.slice(0, start)}${tag}${unmarked.slice(end)}`
  }
  return unmarked
}

function marksIn(body: readonly JinjaStatement[]): JinjaStatement[] {
  return body.flatMap((statement): JinjaStatement[] => {
    const inner =
      statement.kind === 'if'
        ? [...statement.branches.flatMap((branch) => branch.body), ...statement.otherwise]
        : 'body' in statement
          ? statement.body
          : []
    return [...(statement.kind === 'generation' ? [statement] : []), ...marksIn(inner)]
  })
}
