import { PromptError } from '@rolecall/core/internal/errors'
import { isDictValue, isListValue, makeDict, PythonError, type Value } from '@rolecall/core/internal/python'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { FunctionMark } from './function-mark.ts'
import { plainScalar } from './plain-scalar.ts'

/** Tags that do not change how PyYAML's safe loader reads a value, or make it text. */
const textTags = new Set(['tag:yaml.org,2002:str', '!'])
const plainTags = new Set(['null', 'bool', 'int', 'float', 'seq', 'map'].map((name) => `tag:yaml.org,2002:${name}`))

/** More than any task has, few enough to traverse. */
const mostValues = 1_000_000

/**
 * Reads a file of lm-evaluation-harness as its YAML loader does: YAML 1.1 by PyYAML's rules, the last of duplicate keys, `<<` merged,
 * and `!function module.name` as a mark. Nothing is executed.
 */
export function readYaml(text: string, file: string): Value {
  const document = parseYaml(text)
  const [error] = document.errors
  if (error) throw badYaml(file, error.message.split('\n')[0]!.replace(/:$/, ''))
  const known = new Map<Node, { value: Value; size: number }>()
  /** The number of values so far, including aliased ones. */
  let size = 0
  const open = new Set<Node>()
  try {
    return valueAt(document.contents as Node | null)
  } catch (thrown) {
    if (thrown instanceof PythonError) throw badYaml(file, thrown.message)
    throw thrown
  }

  /** An anchored value is read once. Its expanded size is limited, since other code traverses all of it. */
  function valueAt(node: Node | null): Value {
    if (node === null) return null
    if (isAlias(node)) {
      const target = node.resolve(document) as Node | undefined
      if (target === undefined) throw badYaml(file, `there is no anchor "${node.source}"`)
      return valueAt(target)
    }
    const before = known.get(node)
    size += before?.size ?? 1
    if (size > mostValues) throw badYaml(file, `with its aliases written out it has more than ${mostValues.toLocaleString('en')} values`)
    if (before !== undefined) return before.value
    if (open.has(node)) throw badYaml(file, 'a value contains itself')
    open.add(node)
    const from = size - 1
    const value = makeValue(node)
    open.delete(node)
    known.set(node, { value, size: size - from })
    return value
  }

  function makeValue(node: Node): Value {
    const { tag } = node as { tag?: string }
    if (tag === '!function') {
      if (isScalar(node)) return new FunctionMark(String(node.value ?? ''), file)
      throw badYaml(file, '!function stands before something that is not a name')
    }
    if (tag !== undefined && !plainTags.has(tag) && !textTags.has(tag)) throw badYaml(file, `the tag ${tag} is not known`)
    if (isScalar(node)) return scalarOf(node, tag)
    if (isSeq(node)) return node.items.map((item) => valueAt(item as Node | null))
    if (isMap(node)) return makeDict(entriesOf(node))
    throw badYaml(file, 'a value that is not known')
  }

  function scalarOf(node: Scalar, tag: string | undefined): Value {
    const source = String(node.value ?? '')
    const isPlain = node.type === Scalar.PLAIN || node.type === undefined
    if (!isPlain || (tag !== undefined && textTags.has(tag))) return tag !== undefined && plainTags.has(tag) ? read(source) : source
    return read(source)
  }

  function read(source: string): Value {
    const value = plainScalar(source)
    if (value === undefined) throw badYaml(file, `"${source}" stands alone`)
    return value
  }

  /** The entries of a map: merged ones first, so that its own entries override them. */
  function entriesOf(node: YAMLMap): [Value, Value][] {
    const merged: [Value, Value][] = []
    const own: [Value, Value][] = []
    for (const { key, value } of node.items as Pair<Node | null, Node | null>[]) {
      if (isMergeKey(key)) merged.push(...mergedEntries(value))
      else own.push([valueAt(key), valueAt(value)])
    }
    return [...merged, ...own]
  }

  function mergedEntries(node: Node | null): [Value, Value][] {
    const given = valueAt(node)
    // The first of several maps wins.
    const maps = isListValue(given) ? [...given].reverse() : [given]
    return maps.flatMap((map) => {
      if (!isDictValue(map)) throw badYaml(file, '"<<" merges something that is not a map')
      return [...(map as ReadonlyMap<Value, Value>)]
    })
  }
}

function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.value === '<<' && key.tag === undefined
}

function badYaml(file: string, problem: string): PromptError {
  return new PromptError('bad-yaml', { where: file, problem, fix: 'correct the file; it is read as YAML 1.1, as PyYAML does' })
}

/** How often a text is reindented before parsing fails. */
const maxTries = 1000

/**
 * The nodes of a YAML text. PyYAML allows lines of a quoted text to begin further left than their key; this parser does not, so those
 * lines are indented, which does not change the text.
 */
function parseYaml(text: string): Document.Parsed {
  let source = text
  for (let tries = 0; ; tries++) {
    const document = parseDocument(source, { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    const end = error === undefined ? -1 : brokenQuote(source, error)
    if (end < 0 || end + 1 >= source.length || tries === maxTries) return document
    source = `${source.slice(0, end + 1)}${' '.repeat(64)}${source.slice(end + 1)}`
  }
}

/** Where the line ends after which a quoted text stops too early; -1 if that is not the error. A text cut behind `\\"` seems to be closed. */
function brokenQuote(source: string, { code, message, pos: [at] }: YAMLError): number {
  if (code === 'MISSING_CHAR' && /^Missing closing .quote/.test(message)) return source.indexOf('\n', at)
  const before = source.slice(0, at).trimEnd()
  return code === 'UNEXPECTED_TOKEN' && before.endsWith('\\"') ? source.indexOf('\n', before.length) : -1
}
