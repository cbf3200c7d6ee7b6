import type { EntryComments } from '@rolecall/core/internal/python'
import { Document, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import type { ImportedConfig } from '../import-config.ts'
import { writeTypeScript } from './write-typescript.ts'

export const configKinds = ['ts', 'json', 'yaml'] as const
export type ConfigKind = (typeof configKinds)[number]

export type Writable = Pick<ImportedConfig, 'config' | 'remarks'>

/** Writes an imported config as a Rolecall config file. JSON cannot hold comments. */
export function writeImported({ config, remarks }: Writable, kind: ConfigKind, from: string): string {
  const shown = Object.fromEntries(Object.entries(config).filter(([, entries]) => !Array.isArray(entries) || entries.length > 0))
  switch (kind) {
    case 'ts':
      return writeTypeScript(shown, remarks, from)
    case 'yaml':
      return writeYaml(shown, remarks, from)
    case 'json':
      return `${JSON.stringify(shown, null, 2)}\n`
    default:
      return kind satisfies never
  }
}

/** Writes a config in YAML: multi-line texts as blocks, comments in their original positions. */
function writeYaml(config: object, remarks: ImportedConfig['remarks'], from: string): string {
  const document = new Document(config, { aliasDuplicateObjects: false })
  annotate(document.contents, config)
  document.commentBefore = ` Imported from ${from}.`
  return document.toString({ lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: true })

  /** Walks the nodes and their source values in parallel. */
  function annotate(node: Node | null, value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const marks = remarks.get(value)
    if (isSeq(node)) {
      if (node.items.every(isScalar) && !marks) node.flow = isShort(value)
      for (const [index, item] of node.items.entries()) {
        if (marks?.has(index)) comment(item as Node, marks.get(index)!)
        annotate(item as Node, (value as unknown[])[index])
      }
    } else if (isMap(node)) {
      for (const { key, value: item } of node.items as Pair<Scalar<string>, Node>[]) {
        const name = key.value
        const remark = marks?.get(name)
        if (remark) comment(key, remark, item)
        annotate(item, (value as Record<string, unknown>)[name])
      }
    }
  }
}

function comment(first: Node, { before, behind }: EntryComments, value: Node | null = first): void {
  // A block has no line on which to append a comment.
  const isOneLine = isScalar(value) && !(typeof value.value === 'string' && value.value.includes('\n'))
  const above = behind !== undefined && !isOneLine ? [...before, behind] : before
  if (above.length > 0) first.commentBefore = above.map((line) => ` ${line}`).join('\n')
  if (behind !== undefined && isOneLine && value) value.comment = ` ${behind}`
}

function isShort(value: object): boolean {
  const text = JSON.stringify(value)
  return text.length < 100 && !text.includes('\\n')
}
