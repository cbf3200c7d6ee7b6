import type { JinjaExpression, JinjaStatement } from '../syntax/jinja-ast.ts'
import { parseTemplate } from '../syntax/parser.ts'
import { TemplateError } from '../template-error.ts'
import { nodesIn } from './syntax-nodes.ts'

/** Which loops over the content of a message a template has, by two rules of different reach. */
export type ContentLoops = {
  /** A loop over the `content` of `message`, `msg` or `m`, by these names only. */
  byName: boolean
  /** A loop over the `content` of any variable of a loop over `messages` or a variable set to them, or over a variable `content`. */
  tracked: boolean
}

type Loop = JinjaStatement & { kind: 'for' }

/**
 * Looks for loops over the parts of a message, without rendering. Scopes, macro arguments and copies of a content are not followed.
 *
 * @example
 * contentLoops('{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}') // => { byName: true, tracked: true }
 */
export function contentLoops(source: string): ContentLoops {
  let body: JinjaStatement[]
  try {
    body = parseTemplate(source, 'chat_template').body
  } catch (error) {
    if (error instanceof TemplateError) return { byName: false, tracked: false }
    throw error
  }
  const nodes = [...nodesIn(body)]
  const loops = nodes.filter((node): node is Loop => node.kind === 'for')
  return {
    byName: loops.some(({ iterable }) => ['message', 'msg', 'm'].some((name) => reads(iterable, name, 'content'))),
    tracked: isTracked(nodes, loops),
  }
}

/** The first loop decides: if it unpacks its items, the analysis gives up. */
function isTracked(nodes: readonly (JinjaExpression | JinjaStatement)[], loops: readonly Loop[]): boolean {
  const lists = namesOfMessages(nodes)
  if (lists === undefined) return false
  const overMessages = loops.filter(({ iterable }) => lists.some((name) => reads(iterable, name)))
  if (overMessages.some(({ target }) => target.kind !== 'name')) return false
  const messages = overMessages.flatMap(({ target }) => (target.kind === 'name' ? [target.name] : []))
  const found = loops.find(
    ({ iterable }) =>
      messages.some((name) => reads(iterable, name, 'content')) || (iterable.kind === 'name' && iterable.name === 'content'),
  )
  return found?.target.kind === 'name'
}

/** `messages`, and the variables that are set to it; undefined if it is unpacked into something else. */
function namesOfMessages(nodes: readonly (JinjaExpression | JinjaStatement)[]): string[] | undefined {
  const names = ['messages']
  for (const known of names) {
    for (const node of nodes) {
      if (node.kind !== 'set' || !reads(node.value, known)) continue
      if (node.target.kind !== 'name') return undefined
      if (!names.includes(node.target.name)) names.push(node.target.name)
    }
  }
  return names
}

/** Whether an expression is a variable or one of its keys, through filters, tests and slices. */
function reads(expression: JinjaExpression | undefined, name: string, key?: string): boolean {
  if (expression === undefined) return false
  if (expression.kind === 'filter' || expression.kind === 'test') return reads(expression.input, name, key)
  if (expression.kind === 'item' && expression.key.kind === 'slice') return reads(expression.object, name, key)
  if (key === undefined) return expression.kind === 'name' && expression.name === name
  if (expression.kind === 'attribute') return expression.name === key && isName(expression.object, name)
  return expression.kind === 'item' && expression.key.kind === 'const' && expression.key.value === key && isName(expression.object, name)
}

function isName(expression: JinjaExpression, name: string): boolean {
  return expression.kind === 'name' && expression.name === name
}
