import { defaultLimits, type Limits, metered } from '../python/python-limits.ts'
import type { PyValue } from '../python/values/data.ts'
import { piecesOf, plainText } from '../python/values/text.ts'
import type { Value } from '../python/values/value.ts'
import type { TextPiece } from '../text/index.ts'
import { compileStatements } from './compile/compiled-template.ts'
import { chatDialect, type Dialect } from './dialect.ts'
import { type InputOrigin, withOrigins } from './origins.ts'
import { globals } from './runtime/globals.ts'
import { Runtime } from './runtime/runtime.ts'
import type { JinjaStatement } from './syntax/jinja-ast.ts'
import { parseTemplate } from './syntax/parser.ts'
import { located } from './template-error.ts'

/** How a template is rendered: the time it sees, and its limits. */
export type RenderOptions = {
  /** The time of `strftime_now`, shown as local time. By default the time of the call. */
  clock?: Date
  limits?: Partial<Limits>
  /** Called now and then: true ends the render with an error at the place that it has reached. */
  isOver?: () => boolean
}

/** Start and end of a range of text. */
export type Stretch = { start: number; end: number }

/** A rendered text, and the ranges of its `{% generation %}` blocks, in UTF-16 offsets. */
export type Rendered = { text: string; generation: readonly Stretch[] }
/** The range that one `{{ … }}` wrote, and its position in the template's source. */
export type Written = Stretch & { span: readonly [start: number, end: number] }
export type RenderedPieces = Rendered & {
  pieces: readonly TextPiece[]
  /** Of a traced template: the ranges of its statements, in order. */
  written?: readonly Written[]
  /** The steps it took: loop iterations, calls, items that filters visited. */
  steps: number
}

export type CompileOptions = {
  /** Its name in errors. */
  name?: string
  /**
   * Pieces of the template record which literal they are: their `source.span` is its position in the source, which is read with `\n` as the
   * end of lines. This is slower, and meant for tools that examine templates.
   */
  isTraced?: boolean
  /** The template may change lists that it makes itself (`ids.append(id)`), which transformers' sandbox refuses. */
  changesLists?: boolean
}

/** A compiled template that can be rendered many times. */
export type JinjaTemplate = {
  /** The names of its inputs, functions included. */
  readonly names: readonly string[]
  /** The text alone: the fastest way to render. */
  render(variables: Readonly<Record<string, PyValue>>, options?: RenderOptions): string
  /** The text with the ranges that the template marks as the assistant's. */
  renderMarked(variables: Readonly<Record<string, PyValue>>, options?: RenderOptions): Rendered
  /** The text in pieces with their origins. `originOf` returns the origin of a variable's strings. */
  renderPieces(
    variables: Readonly<Record<string, PyValue>>,
    originOf: (name: string) => InputOrigin,
    options?: RenderOptions,
  ): RenderedPieces
}

/** Compiles templates: in this process, or in one that can be stopped from outside. */
export type TemplateCompiler = (source: string, options?: CompileOptions) => JinjaTemplate

/**
 * Reads a chat template as transformers does: Jinja2 in its immutable sandbox with `trim_blocks` and `lstrip_blocks`, loop
 * controls, `{% generation %}`, and transformers' own `tojson`, `raise_exception` and `strftime_now`. Mistakes are errors
 * with line and column.
 *
 * @example
 * const template = compileChatTemplate("{% for m in messages %}{{ m.role ~ ': ' ~ m.content | trim }}{% endfor %}")
 * template.render({ messages: [{ role: 'user', content: ' Hi ' }] }) // => 'user: Hi'
 */
export function compileTemplate(
  source: string,
  {
    name = 'chat_template',
    dialect = chatDialect,
    isTraced = false,
    changesLists = false,
    rewrite,
  }: CompileOptions & { dialect?: Dialect; rewrite?: TreeRewrite } = {},
): JinjaTemplate {
  const parsed = parse(source, name, changesLists ? { ...dialect, changesLists } : dialect, isTraced, rewrite)
  const { inputNames, run } = parsed
  const defaults = inputNames.map((input): Value | undefined => globals.get(input))

  const execute = (
    variables: Readonly<Record<string, PyValue>>,
    options: RenderOptions | undefined,
    originOf?: (name: string) => InputOrigin,
  ): Runtime => {
    const inputs = defaults.slice()
    for (let index = 0; index < inputNames.length; index++) {
      const input = inputNames[index]!
      if (!Object.hasOwn(variables, input)) continue
      const value = variables[input] ?? null
      inputs[index] = originOf === undefined ? (value as Value) : withOrigins(value, originOf(input))
    }
    const limits = options?.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits }
    const runtime = new Runtime(inputs, limits, options?.clock ?? new Date(), options?.isOver)
    try {
      metered(runtime, () => run(runtime))
    } catch (error) {
      // Errors without a place, such as a stack overflow, are reported at the template's start.
      throw located(error, parsed.source, name, { start: 0, end: 0 })
    }
    return runtime
  }

  return {
    names: inputNames,
    render: (variables, options) => plainText(execute(variables, options).root.result()),
    renderMarked(variables, options) {
      const runtime = execute(variables, options)
      return { text: plainText(runtime.root.result()), generation: stretches(runtime) }
    },
    renderPieces(variables, originOf, options) {
      const runtime = execute(variables, options, originOf)
      const result = runtime.root.result()
      return {
        text: plainText(result),
        pieces: mergePieces(piecesOf(result)),
        generation: stretches(runtime),
        steps: runtime.steps,
        ...(runtime.written ? { written: runtime.written } : {}),
      }
    },
  }
}

/** Changes the syntax tree before it is compiled, for tools that watch a template. */
type TreeRewrite = (body: readonly JinjaStatement[]) => readonly JinjaStatement[]

function parse(source: string, name: string, dialect: Dialect, isTraced: boolean, rewrite: TreeRewrite = (body) => body) {
  const { source: normalized, body } = parseTemplate(source, name, dialect)
  try {
    return { ...compileStatements(rewrite(body), normalized, name, dialect, isTraced), source: normalized }
  } catch (error) {
    throw located(error, normalized, name, { start: 0, end: 0 })
  }
}

function stretches({ marks }: Runtime): Stretch[] {
  return marks.map(({ at, length }) => ({ start: at, end: at + length }))
}

/** Merges adjacent pieces of the same origin, and drops empty ones. */
function mergePieces(pieces: readonly TextPiece[]): TextPiece[] {
  const merged: TextPiece[] = []
  for (const piece of pieces) {
    if (piece.text === '') continue
    const last = merged.at(-1)
    if (last === undefined || last.control !== piece.control || last.source.path !== piece.source.path || !continues(last, piece))
      merged.push(piece)
    else {
      const span = joinedSpan(last, piece)
      merged[merged.length - 1] = {
        ...last,
        text: last.text + piece.text,
        source: span === undefined ? last.source : { ...last.source, span },
      }
    }
  }
  return merged
}

/** Two ranges of one text can be merged only if the second begins where the first ends. */
function continues(a: TextPiece, b: TextPiece): boolean {
  if (a.source.span === undefined || b.source.span === undefined) return a.source.span === b.source.span
  return a.source.span[1] === b.source.span[0]
}

function joinedSpan(a: TextPiece, b: TextPiece): readonly [number, number] | undefined {
  return a.source.span === undefined || b.source.span === undefined ? undefined : [a.source.span[0], b.source.span[1]]
}
