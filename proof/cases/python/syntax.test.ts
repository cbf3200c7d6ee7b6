import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pyRepr } from '../../../packages/core/src/base/python/index.ts'
import type { Clause, Expression, FormattedPart, Parameter, Statement } from '../../../packages/core/src/base/python/syntax/ast.ts'
import { parseModule } from '../../../packages/rolecall/src/python/syntax/parse-module.ts'

type Tree = readonly unknown[]

const { read, refused } = JSON.parse(readFileSync(new URL('syntax.json', import.meta.url), 'utf8')) as {
  read: [source: string, tree: Tree, names: Tree | null][]
  refused: string[]
}

describe('a source is read as CPython reads it', () => {
  test.each(read)('%j', (source, tree, names) => {
    const { body, slips } = parseModule(source, 'file')
    expect(slips).toEqual([])
    expect(body.map(statement)).toEqual(tree)
    if (names !== null) expect(namesIn(body)).toEqual(names)
  })
})

describe('what CPython refuses is refused, or read with a note', () => {
  test.each(refused)('%j', (source) => {
    let slips: readonly unknown[] = []
    try {
      slips = parseModule(source, 'file').slips
    } catch (error) {
      expect(error).toMatchObject({
        where: expect.stringMatching(/^file:\d+:\d+$/),
        problem: expect.stringMatching(/\w/),
        fix: expect.stringMatching(/\w/),
      })
      return
    }
    expect(slips).not.toEqual([])
  })
})

function statement(given: Statement): Tree {
  return [given.at.line, ...content(given)]
}

const block = (statements: readonly Statement[]) => statements.map(statement)
const orNull = (value: Expression | undefined) => (value === undefined ? null : tree(value))

function content(given: Statement): Tree {
  switch (given.kind) {
    case 'expression':
      return ['expression', tree(given.value)]
    case 'assign':
      return ['assign', given.targets.map(tree), tree(given.value)]
    case 'augment':
      return ['augment', tree(given.target), given.operator, tree(given.value)]
    case 'for':
      return ['for', tree(given.target), tree(given.items), block(given.body), block(given.otherwise)]
    case 'while':
    case 'if':
      return [given.kind, tree(given.test), block(given.body), block(given.otherwise)]
    case 'try':
      return [
        'try',
        block(given.body),
        given.handlers.map(({ types, name, body }) => [orNull(types), name ?? null, block(body)]),
        block(given.otherwise),
        block(given.last),
      ]
    case 'with':
      return ['with', given.items.map(({ value, target }) => [tree(value), orNull(target)]), block(given.body)]
    case 'import':
      return ['import', ...given.names.map(({ module, as }) => [module, as ?? null])]
    case 'import-from':
      return ['import-from', given.level, given.module, ...given.names.map(({ name, as }) => [name, as ?? null])]
    case 'function':
      return ['function', given.name, given.parameters.map(parameter), block(given.body), given.decorated]
    case 'class':
      return ['class', given.name, block(given.body)]
    case 'return':
      return ['return', orNull(given.value)]
    case 'delete':
      return ['delete', ...given.targets.map(tree)]
    case 'assert':
      return ['assert', tree(given.test)]
    case 'global':
    case 'nonlocal':
      return [given.kind, ...given.names]
    default:
      return [given.kind]
  }
}

const parameter = ({ name, star, byDefault, keywordOnly = false }: Parameter): Tree => [name, star ?? '', orNull(byDefault), keywordOnly]
const clause = ({ target, items, tests }: Clause): Tree => [tree(target), tree(items), ...tests.map(tree)]

function tree(given: Expression): Tree {
  switch (given.kind) {
    case 'constant':
      return ['constant', pyRepr(given.value)]
    case 'ellipsis':
      return ['...']
    case 'formatted':
      return ['formatted', ...given.parts.map(part)]
    case 'name':
      return ['name', given.name]
    case 'list':
    case 'tuple':
    case 'set':
      return [given.kind, ...given.items.map(tree)]
    case 'dict':
      return ['dict', ...given.entries.map(({ key, value }) => [orNull(key), tree(value)])]
    case 'comprehension':
      return ['comprehension', given.of, tree(given.item), ...given.clauses.map(clause)]
    case 'dict-comprehension':
      return ['dict-comprehension', tree(given.key), tree(given.value), ...given.clauses.map(clause)]
    case 'attribute':
      return ['attribute', tree(given.object), given.name]
    case 'item':
      return ['item', tree(given.object), tree(given.key)]
    case 'slice':
      return ['slice', orNull(given.start), orNull(given.stop), orNull(given.step)]
    case 'call': {
      const positional = given.args.filter(({ name, star }) => name === undefined && star !== '**')
      const named = given.args.filter(({ name, star }) => name !== undefined || star === '**')
      return [
        'call',
        tree(given.callee),
        ...positional.map(({ star, value }) => (star === '*' ? ['star', tree(value)] : tree(value))),
        ...named.map(({ name, value }) => (name === undefined ? ['**', tree(value)] : ['=', name, tree(value)])),
      ]
    }
    case 'unary':
      return ['unary', given.operator, tree(given.operand)]
    case 'binary':
      return ['binary', given.operator, tree(given.left), tree(given.right)]
    case 'and':
    case 'or':
      return [given.kind, ...operands(given, given.kind)]
    case 'compare':
      return ['compare', tree(given.first), ...given.rest.map(({ operator, operand }) => [operator, tree(operand)])]
    case 'condition':
      return ['condition', tree(given.test), tree(given.value), tree(given.otherwise)]
    case 'lambda':
      return ['lambda', given.parameters.map(parameter), tree(given.body)]
    case 'star':
      return ['star', tree(given.value)]
    case 'walrus':
      return ['walrus', given.name, tree(given.value)]
    default:
      return [given.kind]
  }
}

/** Python has a chain of `and` as one; ours leans to the left, so that brackets on the left cannot be told from none. */
function operands(given: Expression, kind: 'and' | 'or'): Tree[] {
  return given.kind === kind ? [...operands(given.left, kind), tree(given.right)] : [tree(given)]
}

function part(given: FormattedPart): unknown {
  if (typeof given === 'string') return given
  return [tree(given.value), given.conversion ?? null, given.format === undefined ? null : given.format.map(part)]
}

/** All names with their places, but for those in f-strings. */
function namesIn(body: readonly Statement[]): Tree[] {
  const found: [line: number, column: number, name: string][] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    else if (node !== null && typeof node === 'object') {
      const { kind, name, at } = node as { kind?: string; name?: string; at?: { line: number; column: number } }
      if (kind === 'formatted') return
      if (kind === 'name') found.push([at!.line, at!.column, name!])
      else if (kind === 'walrus') found.push([at!.line, at!.column, name!])
      Object.values(node).forEach(visit)
    }
  }
  visit(body)
  return found.sort(([line, column], [otherLine, otherColumn]) => line - otherLine || column - otherColumn)
}
