import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { browserCommand, impossibleFolder, isInside, pathSteps, programName, quoteWord, slashed, userCacheFolder } from './platform.ts'

describe('paths of both kinds', () => {
  test.each([
    ['/data', '/data', 'linux', true],
    ['/data/a/b', '/data', 'linux', true],
    ['/data/..hidden', '/data', 'linux', true],
    ['/database', '/data', 'linux', false],
    ['/', '/data', 'linux', false],
    ['/any', '/', 'linux', true],
    ['C:\\data\\a', 'C:\\data', 'win32', true],
    ['c:\\DATA\\a', 'C:\\data', 'win32', true],
    ['C:/data/a', 'C:\\data\\', 'win32', true],
    ['C:\\database', 'C:\\data', 'win32', false],
    ['D:\\data\\a', 'C:\\data', 'win32', false],
    ['\\\\server\\share\\a', '\\\\server\\share', 'win32', true],
    ['\\\\server\\other\\a', '\\\\server\\share', 'win32', false],
  ] as const)('%s is inside %s on %s: %s', (path, folder, platform, expected) => expect(isInside(path, folder, platform)).toBe(expected))

  test('slashes are written everywhere; on Linux a backslash is part of a name', () => {
    expect(slashed('a\\b/c', 'win32')).toBe('a/b/c')
    expect(slashed('a\\b/c', 'linux')).toBe('a\\b/c')
  })

  test('a path is split into its root and names', () => {
    expect(pathSteps('/data/*/a.csv', 'darwin')).toEqual({ root: '/', names: ['data', '*', 'a.csv'] })
    expect(pathSteps('C:\\data\\*\\a.csv', 'win32')).toEqual({ root: 'C:\\', names: ['data', '*', 'a.csv'] })
    expect(pathSteps('\\\\server\\share\\a.csv', 'win32')).toEqual({ root: '\\\\server\\share\\', names: ['a.csv'] })
  })
})

test('caches go where the user or the platform keeps them', () => {
  expect(userCacheFolder('linux', {}, '/home/me')).toBe('/home/me/.cache')
  expect(userCacheFolder('darwin', {}, '/Users/me')).toBe('/Users/me/.cache')
  expect(userCacheFolder('win32', { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' }, 'C:\\Users\\me')).toBe('C:\\Users\\me\\AppData\\Local')
  expect(userCacheFolder('win32', {}, 'C:\\Users\\me')).toBe('C:\\Users\\me\\.cache')
  expect(userCacheFolder('linux', { XDG_CACHE_HOME: '/scratch' }, '/home/me')).toBe('/scratch')
})

test('commands and programs', () => {
  const url = 'http://127.0.0.1:4000/?a=1&b=2'
  expect(browserCommand(url, 'linux')).toEqual(['xdg-open', url])
  expect(browserCommand(url, 'darwin')).toEqual(['open', url])
  expect(browserCommand(url, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', url])
  expect([programName('deno', 'linux'), programName('deno', 'win32')]).toEqual(['deno', 'deno.exe'])
  expect([impossibleFolder('darwin'), impossibleFolder('win32')]).toEqual(['/dev/null/none', 'NUL\\none'])
})

test.each([
  ['eval.yaml', 'eval.yaml', 'eval.yaml'],
  ['my data', "'my data'", '"my data"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ['a "b"', '\'a "b"\'', '"a \\"b\\""'],
  ['C:\\data\\a.yaml', "'C:\\data\\a.yaml'", 'C:\\data\\a.yaml'],
  ['$HOME', "'$HOME'", '"$HOME"'],
  ['100%', '100%', '"100%"'],
])('%s is quoted for the shell', (word, posix, windows) => {
  expect([quoteWord(word, 'linux'), quoteWord(word, 'win32')]).toEqual([posix, windows])
})

test('code asks for the platform here, and in a few places that start programs, read /proc or name a package', () => {
  const app = new URL('../', import.meta.url)
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const asking = files.filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) && /process\.platform|\bwin32\b|\bsep\b.*'node:path'/.test(readFileSync(new URL(file, app), 'utf8')),
  )
  expect(asking.sort()).toEqual([
    'cli/doctor/doctor-report.ts',
    'node/interpreters/python/find-runtime.ts',
    'node/interpreters/python/guarded-process.ts',
    'node/interpreters/python/sandbox-process.ts',
    'node/launch/engine-guard.ts',
    'node/models/gguf/install-hint.ts',
    'node/models/gguf/load-gguf.ts',
    'node/platform.ts',
    'node/regular-file.ts',
    'node/with-python/find-python.ts',
    'node/with-python/python-thread.ts',
  ])
})
