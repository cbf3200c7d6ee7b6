import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moveUnreleased } from '../../scripts/release/changelog.ts'
import { release } from '../../scripts/release/release.ts'
import { folderWith } from './folder-with.ts'
import { programTimeout } from './run-program.ts'

const changelog = '# Changelog\n\n## Unreleased\n\n- A thing.\n- Another.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n'

test('unreleased changes move under the version, leaving an empty section', () => {
  expect(moveUnreleased(changelog, '0.2.0', '2026-11-17')).toEqual({
    text: '# Changelog\n\n## Unreleased\n\nNothing yet.\n\n## 0.2.0 (2026-11-17)\n\n- A thing.\n- Another.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n',
    notes: '- A thing.\n- Another.',
  })
  const first = '# Changelog\n\n## 0.1.0 (unreleased)\n\n- The first.\n'
  expect(moveUnreleased(first, '0.1.0', '2026-11-17')).toMatchObject({
    text: expect.stringContaining('## 0.1.0 (2026-11-17)\n\n- The first.\n'),
  })
  expect(moveUnreleased(first, '0.2.0', '')).toEqual({ problem: 'CHANGELOG.md plans 0.1.0, not 0.2.0' })
  expect(moveUnreleased('## Unreleased\n\nNothing yet.\n', '0.2.0', '')).toEqual({
    problem: 'CHANGELOG.md says nothing under "Unreleased"',
  })
  expect(moveUnreleased('# Changelog\n', '0.2.0', '')).toEqual({ problem: 'CHANGELOG.md has no section "Unreleased"' })
})

/** A repository with a package that builds instantly. */
function repository() {
  const manifest = { name: 'tiny', version: '0.1.0', private: true, scripts: { build: 'node -e 0' }, workspaces: ['core', 'tiny', 'pages'] }
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
  const folder = folderWith({
    'package.json': json(manifest),
    'package-lock.json': json({ name: 'tiny', version: '0.1.0', lockfileVersion: 3, packages: {} }),
    'core/package.json': json({ name: '@rolecall/core', version: '0.1.0', files: ['index.js'] }),
    'core/index.js': '',
    'tiny/package.json': json({ name: 'tiny', version: '0.1.0', dependencies: { '@rolecall/core': '0.1.0' } }),
    'pages/package.json': json({ name: 'pages', version: '0.1.0', private: true }),
    'CHANGELOG.md': changelog,
    '.gitignore': '*.tgz\nnode_modules\n',
  })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', timeout: programTimeout }).trim()
  git('init', '-q', '-b', 'main')
  git('config', 'user.email', 'a@example.org')
  git('config', 'user.name', 'A')
  git('add', '.')
  git('commit', '-qm', 'start')
  const said: string[] = []
  const make = (version: string, isDry = false) => release({ version, folder, date: '2026-11-17', isDry, say: (text) => said.push(text) })
  return { folder, git, make, said }
}

test('a release sets the version, moves the changelog, packs, commits and tags; a dry run changes nothing', () => {
  const { folder, git, make, said } = repository()
  make('0.2.0', true)
  expect(said).toContain('would commit and tag v0.2.0')
  expect([git('status', '--porcelain'), git('tag'), existsSync(join(folder, 'tiny-0.2.0.tgz'))]).toEqual(['', '', false])
  make('0.2.0')
  expect([git('status', '--porcelain'), git('tag'), git('log', '-1', '--format=%s')]).toEqual(['', 'v0.2.0', 'release: 0.2.0'])
  expect(git('tag', '-l', '--format=%(contents)', 'v0.2.0')).toBe('- A thing.\n- Another.')
  const { version, dependencies } = JSON.parse(readFileSync(join(folder, 'tiny/package.json'), 'utf8'))
  expect({ version, dependencies }).toEqual({ version: '0.2.0', dependencies: { '@rolecall/core': '0.2.0' } })
  const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  expect(packed).toEqual(['rolecall-core-0.2.0.tgz', 'tiny-0.2.0.tgz'])
  expect(() => make('0.2.0')).toThrow('the tag v0.2.0 already exists')
  expect(() => make('0.3.0')).toThrow('says nothing under "Unreleased"')
  expect(() => make('0.1.9')).toThrow('0.1.9 is older than 0.2.0')
  expect(() => make('v1')).toThrow('"v1" is not a version')
}, 60_000)

test('uncommitted changes and a failing build change nothing', () => {
  const { folder, git, make } = repository()
  const file = join(folder, 'package.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('node -e 0', 'exit 1'))
  expect(() => make('0.2.0')).toThrow('the working tree is not clean')
  git('commit', '-qam', 'a build that fails')
  expect(() => make('0.2.0')).toThrow('the release failed and all changes were undone')
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
}, 60_000)
