import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { storeMedia } from '../rows/media-store.ts'
import { AnswerCaches } from './answer-cache.ts'
import { keptFolder, privateFolder } from './private-folder.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const settings = '0'.repeat(32)
const question = 'a'.repeat(32)
const answer = {
  prompt_hash: 'h',
  prediction: 'private',
  tokens: { prompt: 1, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
  milliseconds: 1,
}
const isRoot = process.getuid?.() === 0
const other = 12_345

function environment(name: string, value: string): void {
  vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe.skipIf(process.platform === 'win32')('a cache', () => {
  test('is closed to others, also where an earlier version left it open', () => {
    const folder = folderWith({ 'answers/x': '' })
    chmodSync(join(folder, 'answers'), 0o755)
    const file = join(folder, 'answers', `${settings}.jsonl`)
    writeFileSync(file, '')
    chmodSync(file, 0o644)
    const caches = new AnswerCaches(folder)
    caches.for(settings).add(question, answer)
    expect([modeOf(join(folder, 'answers')), modeOf(file), [...caches.problems]]).toEqual(['700', '600', []])
    expect(readFileSync(file, 'utf8')).toContain('private')
  })

  test.skipIf(!isRoot).for(['', 'answers', `answers/${settings}.jsonl`])(
    'of another user is neither believed nor written (%s)',
    (owned) => {
      const mine = folderWith({})
      const first = new AnswerCaches(mine)
      first.for(settings).add(question, answer)
      const file = join(mine, 'answers', `${settings}.jsonl`)
      chownSync(join(mine, owned), other, other)
      const before = readFileSync(file, 'utf8')
      const caches = new AnswerCaches(mine)
      const cache = caches.for(settings)
      cache.add('b'.repeat(32), answer)
      expect(cache.find(question, () => undefined)).toBeUndefined()
      expect(readFileSync(file, 'utf8')).toBe(before)
      expect([...caches.problems].join()).toMatch(/not cached for other runs: .*another user/)
    },
  )

  test('is not written through a link', () => {
    const folder = folderWith({ 'mine.txt': 'mine', 'cache/answers/x': '' })
    symlinkSync(join(folder, 'mine.txt'), join(folder, 'cache/answers', `${settings}.jsonl`))
    const caches = new AnswerCaches(join(folder, 'cache'))
    caches.for(settings).add(question, answer)
    expect([readFileSync(join(folder, 'mine.txt'), 'utf8'), caches.problems.size]).toEqual(['mine', 1])
  })
})

describe.skipIf(process.platform === 'win32')('without a cache', () => {
  test('pictures are kept where no other user can read them', () => {
    environment('ROLECALL_CACHE', 'off')
    const temporary = folderWith({})
    environment('TMPDIR', temporary)
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const path = new URL(storeMedia(png)).pathname
    expect(path.startsWith(join(temporary, `rolecall-${process.getuid?.()}`))).toBe(true)
    expect([modeOf(path), modeOf(join(path, '..')), modeOf(join(path, '../..'))]).toEqual(['600', '700', '700'])
    expect(existsSync(join(temporary, 'rolecall'))).toBe(false)
  })

  test.skipIf(!isRoot)('a folder that another user put there is refused', () => {
    environment('ROLECALL_CACHE', 'off')
    environment('TMPDIR', folderWith({}))
    const taken = join(keptFolder('media'), '..')
    mkdirSync(taken)
    chownSync(taken, other, other)
    expect(() => storeMedia(Buffer.from('89504e470d0a1a0a', 'hex'))).toThrow('belongs to another user (12345)')
    expect(readdirSync(taken)).toEqual([])
  })

  test.skipIf(!isRoot)('nor is a link of another user followed', () => {
    const folder = folderWith({ 'real/media/x': '' })
    mkdirSync(join(folder, 'cache'))
    symlinkSync(join(folder, 'real/media'), join(folder, 'cache/media'))
    const { lchownSync } = process.getBuiltinModule('node:fs')
    lchownSync(join(folder, 'cache/media'), other, other)
    expect(() => privateFolder(join(folder, 'cache/media'))).toThrow('belongs to another user')
  })
})
