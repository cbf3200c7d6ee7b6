import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import { resultFiles } from '../foreign/result-files.ts'
import { AnnotationFile } from './annotation-file.ts'

const schema = JSON.parse(readFileSync(new URL('../../../../schema/annotation.schema.json', import.meta.url), 'utf8')) as object
const pair = { model: 'm', dataset: 'd' }
const line = { ...pair, at: '2026-01-01T00:00:00.000Z', row: 3, row_hash: 'r', answer_hash: 'a' }

describe('the file of annotations', () => {
  test('only grows, and the last line of a row wins', async () => {
    const file = new AnnotationFile(folderWith({}))
    expect([file.of(pair).size, file.unreadable, file.problem()]).toEqual([0, 0, undefined])
    await file.append({ ...line, star: true })
    await file.append({ ...line, note: 'one\ntwo', verdict: 'wrong' })
    await file.append({ ...line, format: 'chatml', verdict: 'right' })
    const lines = readFileSync(file.path, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    const isValid = new Ajv({ strict: false }).compile(schema)
    for (const text of lines) expect([isValid(JSON.parse(text)), isValid.errors]).toEqual([true, null])
    expect([...file.of(pair).values()]).toEqual([{ version: 1, ...line, note: 'one\ntwo', verdict: 'wrong' }])
    expect(file.of({ ...pair, format: 'chatml' }).get(3)).toMatchObject({ verdict: 'right' })
    // A line without notes removes them.
    await file.append(line)
    expect(file.of(pair).size).toBe(0)
  })

  test('is read again when another program wrote it; broken and newer lines are counted', async () => {
    const file = new AnnotationFile(folderWith({}))
    await file.append({ ...line, star: true })
    const before = file.stamp
    appendFileSync(
      file.path,
      `{"version":2}\n{"version":1,"row":-1}\n${JSON.stringify({ version: 1, ...line, row: 4, star: true })}\n{"ver`,
    )
    expect([[...file.of(pair).keys()], file.unreadable]).toEqual([[3, 4], 3])
    expect(file.stamp).not.toBe(before)
    expect(file.text()).toBe(readFileSync(file.path, 'utf8'))
    // A line after a broken one is whole.
    await file.append({ ...line, row: 5, star: true })
    expect([...file.of(pair).keys()]).toEqual([3, 4, 5])
  })

  test('is not written through a link, or into a folder', async () => {
    const folder = folderWith({ 'mine.txt': 'mine', 'linked/x': '', 'named/annotations.jsonl/x': '' })
    symlinkSync(join(folder, 'mine.txt'), join(folder, 'linked/annotations.jsonl'))
    await expect(new AnnotationFile(join(folder, 'linked')).append({ ...line, star: true })).rejects.toThrow('this is a link')
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine')
    // Nor is a file of the user copied with the annotations when shards are merged.
    expect(() => new AnnotationFile(join(folder, 'linked')).text()).toThrow('this is a link')
    // A device that does not end is not read.
    mkdirSync(join(folder, 'endless'))
    symlinkSync('/dev/zero', join(folder, 'endless/annotations.jsonl'))
    expect(new AnnotationFile(join(folder, 'endless')).of(pair).size).toBe(0)
    const named = new AnnotationFile(join(folder, 'named'))
    expect([named.problem(), named.of(pair).size]).toEqual(['not a file', 0])
    await expect(named.append({ ...line, star: true })).rejects.toThrow('this is a folder')
    expect(new AnnotationFile(join(folder, 'deleted')).problem()).toBe('the folder does not exist')
  })

  test('of results of another harness is beside them, and is not read as a result', () => {
    const source = folderWith({ 'results.json': '{}', 'sub/samples.jsonl': '' })
    const cache = folderWith({ 'results/imported/configs/setup.json': JSON.stringify({ source }) })
    vi.stubEnv('ROLECALL_CACHE', cache)
    onTestFinished(() => void vi.unstubAllEnvs())
    const file = new AnnotationFile(join(cache, 'results/imported'))
    expect(file.path).toBe(join(source, 'rolecall-annotations.jsonl'))
    // A run folder from elsewhere may name any place.
    const other = folderWith({ 'configs/setup.json': JSON.stringify({ source }) })
    expect(new AnnotationFile(other).path).toBe(join(other, 'annotations.jsonl'))
    writeFileSync(file.path, '')
    mkdirSync(join(source, 'deep'))
    writeFileSync(join(source, 'deep/results.json.rolecall-annotations.jsonl'), '')
    expect(resultFiles(source).names).toEqual(['results.json', 'sub/samples.jsonl'])
    const single = join(cache, 'results/single')
    mkdirSync(join(single, 'configs'), { recursive: true })
    writeFileSync(join(single, 'configs/setup.json'), JSON.stringify({ source: join(source, 'results.json') }))
    expect(new AnnotationFile(single).path).toBe(join(source, 'results.json.rolecall-annotations.jsonl'))
    expect(existsSync(new AnnotationFile(single).path)).toBe(false)
  })
})
