import { filesOf } from '../python/function-host.ts'
import type { FunctionMark } from '../yaml/function-mark.ts'

/** Python files: path → text. */
type Files = Readonly<Record<string, string>>

/** The source of a function, or a class as Python shows it; how the task names it if it is not at the margin of a file. */
export function functionSource({ path, file }: FunctionMark, files: Files): string {
  const dot = path.lastIndexOf('.')
  // Several files of a task may have functions of the same name: the module that is named comes first.
  const own = filesOf(path.slice(0, dot), file).filter((one) => files[one] !== undefined)
  const inOrder = [...own.map((one): [string, string] => [one, files[one]!]), ...Object.entries(files)]
  return sourceNamed(path.slice(dot + 1), inOrder) ?? `!function ${path}`
}

function sourceNamed(
  name: string,
  files: readonly (readonly [string, string])[],
  seen: ReadonlySet<string> = new Set([name]),
): string | undefined {
  // The name comes from a file of results, and is put into a pattern.
  if (!/^[\p{L}\p{N}_]+$/u.test(name)) return undefined
  // A line that begins with a bracket ends a list of parameters.
  const definition = new RegExp(`^(?:@.*\\n)*(def|class) ${name}\\b[^\\n]*\\n(?:(?:[ \\t)\\]}].*)?\\n?)*`, 'm')
  for (const [file, text] of files) {
    const found = definition.exec(withoutLines(text))
    if (found?.[1] === 'class') return `<class '${moduleName(file)}.${name}'>`
    if (found) return text.slice(found.index, found.index + found[0].length).replace(/\n+$/, '\n')
  }
  // A second name of a function: `name = other`.
  const alias = new RegExp(`^${name} = (?:\\w+\\.)*(\\w+)$`, 'm')
  const [other] = files.flatMap(([, text]) => alias.exec(text)?.[1] ?? [])
  return other === undefined || seen.has(other) ? undefined : sourceNamed(other, files, new Set([...seen, other]))
}

const stringOrComment = /("""|''')(?:\\[\s\S]|(?!\1)[\s\S])*\1|#.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g

/** The same text, of the same length, whose strings each are on one line. */
function withoutLines(text: string): string {
  return text.replace(stringOrComment, (found) => found.replaceAll('\n', ' '))
}

/** What the harness calls the module of a file: by its place in the package, or its path. */
function moduleName(file: string): string {
  const [, inPackage] = /(?:^|\/)(lm_eval\/tasks\/.*)\.py$/.exec(file) ?? []
  return inPackage?.replaceAll('/', '.') ?? file.replace(/\.py$/, '')
}
