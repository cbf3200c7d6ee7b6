import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { NoteTable } from '../../../../core/src/base/errors/note-table.ts'
import { allNotes, noteRow, noteTables } from './all-notes.ts'

test('every note says in English and in Chinese what it is about, and is in one table', () => {
  const rows = noteTables.flatMap(({ rows: table }) => Object.entries(table as NoteTable))
  const codes = rows.map(([code]) => code)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  expect(Object.keys(allNotes).sort()).toEqual([...codes].sort())
  expect(rows.filter(([code, { en, zh }]) => !/^[a-z]+(-[a-z]+)*$/.test(code) || !/\w{2}/.test(en) || !/\p{Script=Han}/u.test(zh))).toEqual(
    [],
  )
})

test('every row is of a note that the source emits', () => {
  const root = new URL('../../../../../', import.meta.url)
  const sources = ['packages/core/src', 'packages/rolecall/src', 'packages/viewer/src'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8'))
      .filter((source) => !source.includes('satisfies NoteTable')),
  )
  const quoted = new Set(sources.flatMap((source) => source.match(/'[a-z]+(?:-[a-z]+)*'/g) ?? []))
  // Their codes are made of the kind of the name.
  const made = new Set(['inferencer', 'retriever', 'evaluator', 'postprocessor'].map((kind) => `unknown-${kind}`))
  expect(Object.keys(allNotes).filter((code) => !quoted.has(`'${code}'`) && !made.has(code))).toEqual([])
})

test("a note on a judge's prompt has the severity of the note; a code of another version has no row", () => {
  expect(noteRow('judge-too-long')).toMatchObject({ severity: 'warning', zh: `评审提示词：${allNotes['too-long'].zh}` })
  expect(noteRow('of-the-future')).toBeUndefined()
  expect(noteRow('constructor')).toBeUndefined()
})
