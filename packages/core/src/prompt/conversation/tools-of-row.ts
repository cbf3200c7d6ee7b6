import { PromptError } from '../../base/errors/prompt-error.ts'
import { dictGet, isList, JsonSyntaxError, type PyValue, parseJson } from '../../base/python/index.ts'
import type { Conversation } from './conversation.ts'
import { readTools, type Tools } from './read-chat.ts'
import type { Row } from './row.ts'

/** A dataset's tool settings. */
export type ToolSettings = { abbr?: string; tools?: readonly unknown[]; reader_cfg?: { tools_column?: string | null } }

/** The tools of a dataset's rows: the same for all, those of a column, or both. */
export type RowTools = {
  /** Rows have their own tools. */
  isByRow: boolean
  /** The path of the setting, for errors. */
  where: string
  /** The tools of every row. */
  fixed: Tools
  of(row: Row): Tools
  /** The conversation of a row, with its tools. */
  addTo(conversation: Conversation, row: Row): Conversation
}

/** Compiles a dataset's tools; undefined if it has none. */
export function toolsOfRows({ abbr, tools, reader_cfg: reader }: ToolSettings): RowTools | undefined {
  const column = reader?.tools_column ?? undefined
  if (tools === undefined && column === undefined) return undefined
  const dataset = abbr === undefined ? '' : `${abbr} › `
  const fixed = readTools(tools ?? [], `${dataset}tools`)
  const of = (row: Row): Tools => {
    if (column === undefined) return fixed
    const own = readTools(listIn(row, column), column)
    const all = [...(fixed.tools ?? []), ...(own.tools ?? [])]
    const interpreter = fixed.interpreter ?? own.interpreter
    return { ...(all.length === 0 ? {} : { tools: all }), ...(interpreter ? { interpreter } : {}) }
  }
  return {
    isByRow: column !== undefined,
    where: tools === undefined ? `${dataset}reader_cfg.tools_column` : `${dataset}tools`,
    fixed,
    of,
    addTo: (conversation, row) => (conversation.kind === 'text' ? conversation : { ...conversation, ...of(row) }),
  }
}

/** A row may have no tools; file types other than JSON contain them as text. */
function listIn(row: Row, column: string): readonly PyValue[] {
  const given = dictGet(row, column) ?? null
  if (given === null || given === '') return []
  const value = typeof given === 'string' ? jsonOf(given, column) : given
  if (isList(value)) return value
  throw new PromptError('wrong-type', {
    where: column,
    problem: 'the column does not contain a list of tools',
    fix: 'write [{ name, description, parameters }, …], or [{ type: "function", function: { … } }, …]',
  })
}

function jsonOf(text: string, column: string): PyValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new PromptError('wrong-type', {
      where: column,
      problem: `the tools are not JSON (${error.message})`,
      fix: 'write a list of tools as JSON',
    })
  }
}
