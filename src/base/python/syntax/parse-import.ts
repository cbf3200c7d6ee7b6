import type { Statement } from './ast.ts'
import type { TokenStream } from './token-stream.ts'

/** `import a.b as c`. */
export function parseImport(stream: TokenStream): Statement {
  const at = stream.place(stream.next())
  const names: { module: string; as?: string }[] = []
  do {
    const module = parseDotted(stream)
    names.push(stream.accept('as') ? { module, as: stream.expectName('a name') } : { module })
  } while (stream.accept(','))
  return { kind: 'import', names, at }
}

function parseDotted(stream: TokenStream): string {
  let name = stream.expectName('the name of a module')
  while (stream.accept('.')) name += `.${stream.expectName('the name of a module')}`
  return name
}

/** `from a.b import c as d`. */
export function parseImportFrom(stream: TokenStream): Statement {
  const at = stream.place(stream.next())
  let level = 0
  for (;;) {
    if (stream.accept('.')) level++
    else if (stream.accept('...')) level += 3
    else break
  }
  const module = level > 0 && stream.is('import') ? '' : parseDotted(stream)
  stream.expect('import', 'expected "import"', 'write from MODULE import NAME')
  if (stream.accept('*')) return { kind: 'import-from', level, module, names: [{ name: '*' }], at }
  const inBrackets = stream.accept('(')
  const names: { name: string; as?: string }[] = []
  do {
    if (inBrackets && stream.is(')')) break
    const name = stream.expectName('a name')
    names.push(stream.accept('as') ? { name, as: stream.expectName('a name') } : { name })
  } while (stream.accept(','))
  if (inBrackets) stream.expect(')', 'a "(" is not closed')
  return { kind: 'import-from', level, module, names, at }
}
