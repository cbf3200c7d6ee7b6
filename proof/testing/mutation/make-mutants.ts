import ts from 'typescript'

/** A small change to a source: the text between `start` and `end` becomes `text`. */
export type Mutant = {
  kind: MutantKind
  /** Whether it replaces a statement or an expression. */
  node: 'statement' | 'expression'
  start: number
  end: number
  text: string
  /** From 1. */
  line: number
  /** The text required before a parenthesis, to prevent parsing it as a call on the previous line. */
  lead: '' | ';'
}

export type MutantKind =
  | 'boundary'
  | 'comparison'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'statement'
  | 'boolean'
  | 'number'
  | 'string'
  | 'fallback'

/**
 * All mutants of a file, in source order. Excludes what only people or the type checker read: types, imports,
 * property names, and documentation (`.describe('…')`, `description: '…'`, `does: '…'`, `example: …`).
 */
export function makeMutants(source: string, fileName = 'source.ts'): Mutant[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []

  const add = (node: ts.Node, kind: MutantKind, text: string) => {
    const start = node.getStart(file)
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    const lead = !ts.isStatement(node) && startsStatement(node, start, file) ? ';' : ''
    mutants.push({ kind, node: ts.isStatement(node) ? 'statement' : 'expression', start, end: node.end, text, line, lead })
  }
  const textOf = (node: ts.Node) => node.getText(file)

  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return
    if (ts.isBinaryExpression(node)) mutateBinary(node)
    else if (ts.isPrefixUnaryExpression(node)) mutatePrefix(node)
    else if (ts.isPostfixUnaryExpression(node))
      add(node, 'arithmetic', `${textOf(node.operand)}${node.operator === plusPlus ? '--' : '++'}`)
    else if (ts.isIfStatement(node)) add(node.expression, 'condition', `!(${textOf(node.expression)})`)
    else if (ts.isConditionalExpression(node)) add(node.condition, 'condition', `!(${textOf(node.condition)})`)
    else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) add(node.expression, 'condition', 'false')
    else if (isRemovable(node)) add(node, 'statement', ';')
    else mutateLiteral(node)
    ts.forEachChild(node, visit)
  }

  const mutateBinary = (node: ts.BinaryExpression) => {
    const [left, right] = [textOf(node.left), textOf(node.right)]
    const operator = node.operatorToken.getText(file)
    if ((operator === '+' || operator === '+=') && [node.left, node.right].some(isText)) return
    for (const [kind, other] of operators[operator] ?? []) add(node, kind, `${left} ${other} ${right}`)
    if (operator === '??') add(node, 'fallback', left)
  }

  const mutatePrefix = (node: ts.PrefixUnaryExpression) => {
    const operand = textOf(node.operand)
    if (node.operator === ts.SyntaxKind.ExclamationToken) add(node, 'condition', operand)
    else if (node.operator === ts.SyntaxKind.MinusToken) add(node, 'arithmetic', operand)
    else if (node.operator === plusPlus) add(node, 'arithmetic', `--${operand}`)
    else if (node.operator === ts.SyntaxKind.MinusMinusToken) add(node, 'arithmetic', `++${operand}`)
  }

  const mutateLiteral = (node: ts.Node) => {
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'boolean', 'false')
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'boolean', 'true')
    else if (ts.isNumericLiteral(node)) add(node, 'number', `${Number(node.text) + 1}`)
    else if (ts.isBigIntLiteral(node)) add(node, 'number', `${BigInt(node.text.slice(0, -1)) + 1n}n`)
    else if (node.parent !== undefined && ts.isTaggedTemplateExpression(node.parent)) return
    else if (ts.isStringLiteralLike(node)) add(node, 'string', node.text === '' ? "'mutant'" : "''")
    else if (ts.isTemplateExpression(node)) add(node, 'string', "''")
  }

  visit(file)
  return mutants
}

const plusPlus = ts.SyntaxKind.PlusPlusToken

const operators: Readonly<Record<string, readonly (readonly [MutantKind, string])[]>> = {
  '<': [
    ['boundary', '<='],
    ['comparison', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['comparison', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['comparison', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['comparison', '<'],
  ],
  '===': [['comparison', '!==']],
  '!==': [['comparison', '===']],
  '+': [['arithmetic', '-']],
  '-': [['arithmetic', '+']],
  '*': [['arithmetic', '/']],
  '/': [['arithmetic', '*']],
  '%': [['arithmetic', '*']],
  '**': [['arithmetic', '*']],
  '+=': [['arithmetic', '-=']],
  '-=': [['arithmetic', '+=']],
  '&&': [['logic', '||']],
  '||': [['logic', '&&']],
}

function isRemovable(node: ts.Node): boolean {
  return ts.isExpressionStatement(node) || ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node)
}

/** Whether a statement of a block starts with this expression: without semicolons, a parenthesis there continues the previous line. */
function startsStatement(node: ts.Node, start: number, file: ts.SourceFile): boolean {
  let at = node
  while (!ts.isStatement(at) && at.parent !== undefined && at.parent.getStart(file) === start) at = at.parent
  return ts.isExpressionStatement(at) && (ts.isBlock(at.parent) || ts.isSourceFile(at.parent) || ts.isCaseOrDefaultClause(at.parent))
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  const { parent } = node
  if (parent === undefined) return false
  if ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node)
    return !ts.isComputedPropertyName(node)
  if (ts.isBindingElement(parent) && parent.propertyName === node) return true
  if (ts.isPropertyAssignment(parent) && parent.initializer === node) return documentation.has(textOfName(parent.name) ?? '')
  return ts.isCallExpression(parent) && parent.expression !== node && isDescribe(parent.expression)
}

/** Properties shown in the generated pages of docs/. An `example` is also a test of its own content. */
const documentation = new Set(['description', 'does', 'example'])

function isDescribe(callee: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'describe'
}

function textOfName(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined
}

/** The source with one mutant applied. */
export function applyMutant(source: string, { node, start, end, text, lead }: Mutant): string {
  return `${source.slice(0, start)}${node === 'statement' ? text : `${lead}(${text})`}${source.slice(end)}`
}

/** The source instrumented to report which mutants' places are reached: calls `__reached(id)` before each. */
export function markPlaces(source: string, mutants: readonly { id: number; mutant: Mutant }[]): string {
  const edits = mutants.flatMap(({ id, mutant: { node, start, end, lead } }) => {
    const isStatement = node === 'statement'
    // A statement encloses the expression that it consists of.
    const size = end - start + (isStatement ? 0.5 : 0)
    return [
      { at: start, opens: true, size, lead, text: isStatement ? `{ __reached(${id}); ` : `(__reached(${id}), (` },
      { at: end, opens: false, size, lead: '', text: isStatement ? ' }' : '))' },
    ]
  })
  // Of places with the same start the outer one opens first; of those with the same end the inner one closes first.
  edits.sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || (a.opens ? b.size - a.size : a.size - b.size))
  let marked = ''
  let position = -1
  for (const { at, opens, lead, text } of edits) {
    const isFirstHere = opens && at !== position
    marked += source.slice(Math.max(position, 0), at) + (isFirstHere ? lead : '') + text
    position = at
  }
  return marked + source.slice(Math.max(position, 0))
}
