import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pyStr } from '@rolecall/core/internal/python'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { PythonFailure } from '../../python/host/python-host.ts'
import { PythonWorkerHost } from './python-worker-host.ts'

const folder = folderWith({
  'score.py': `
import os, subprocess, sys, time
def both(a, b=1): return {'pair': (a, b), 'float': 1.0, 'set': {2, 1}, ('a', 1): 0}
def raises(a): return {}[a]
def exits(a): sys.exit(3)
def dies(a): os._exit(7)
def hangs(a):
    while True: pass
def forges(a):
    print('1 value "forged"\\n1 done ')
    os.write(1, b'1 value "forged"\\n')
    return 'real'
def prints(a):
    for _ in range(200): sys.stdout.write('x' * 100000)
    return len(a)
def closes(a):
    sys.stdout.close(); os.close(1)
    return 'closed'
def starts(file):
    subprocess.Popen([sys.executable, '-c', f'import time; time.sleep(4); open({file!r}, "w")'])
    while True: time.sleep(1)
def variables(): return sorted(os.environ)
def odd(a): return object()
class Rows:
    @staticmethod
    def load(path, n=2): return [{'q': f'{path}{i}', 'a': float(i)} for i in range(n)]
class Broken:
    def __init__(self, **settings): self.settings = settings
    def score(self, predictions, references, test_set):
        return {'accuracy': sum(p == r for p, r in zip(predictions, references)), 'rows': len(test_set), **self.settings}
`,
  'broken.py': 'x = 1\ndef fn(:\n  pass\n',
  'lacks.py': 'import no_such_package.inner\ndef fn(): pass\n',
})
const host = new PythonWorkerHost({ paths: [folder], seconds: 2, environment: ['ROLECALL_TEST_ASKED'] })
afterAll(() => host.close())

const call = (name: string, ...args: string[]) => host.load({ kind: 'function', name: `score.py:${name}` }).call({ args })
const failure = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (error instanceof PythonFailure) return { reason: error.reason, where: error.where.replace(`${folder}/`, ''), text: error.message }
    throw error
  }
  return undefined
}

describe("the user's own Python", () => {
  test('gives plain data for what functions and classes return, and says what it ran with', () => {
    expect(pyStr(call('both', 'x') as never)).toBe("{'pair': ['x', 1], 'float': 1.0, 'set': [1, 2], \"('a', 1)\": 0}")
    const rows = host.load({ kind: 'dataset', name: 'score.Rows' })
    expect(rows.parameters).toEqual(['path', 'n'])
    expect(pyStr(rows.call({ settings: { path: 'p' } }) as never)).toBe("[{'q': 'p0', 'a': 0.0}, {'q': 'p1', 'a': 1.0}]")
    expect((rows.call({ settings: { path: 'p', n: 5000 } }) as unknown[]).length).toBe(5000)
    const scored = host.load({ kind: 'evaluator', name: 'score.Broken' }).call({
      settings: { k: 2 },
      predictions: ['a', 'b'],
      references: ['a', 'c'],
      rows: [{ q: 'x' }, { q: 'y' }],
    })
    expect(scored).toEqual({ accuracy: 1, rows: 2, k: 2 })
    expect(host.versions.python).toMatch(/^3\./)
  })

  test('names file and line of what fails, and the next call works', () => {
    expect(failure(() => call('raises', 'k'))).toMatchObject({
      reason: 'raised',
      where: 'score.py:4',
      text: expect.stringContaining("KeyError: 'k'"),
    })
    expect(failure(() => call('exits', 'k'))).toMatchObject({
      reason: 'raised',
      where: 'score.py:5',
      text: expect.stringContaining('SystemExit'),
    })
    expect(failure(() => call('dies', 'k'))).toMatchObject({ reason: 'stopped', text: expect.stringContaining('ended with exit code 7') })
    expect(failure(() => call('hangs', 'k'))).toMatchObject({ reason: 'stopped', text: expect.stringContaining('more than 2 s') })
    expect(failure(() => call('both'))).toMatchObject({
      reason: 'raised',
      where: 'score.py:both',
      text: expect.stringContaining('missing 1 required'),
    })
    expect(failure(() => call('odd', 'k'))).toMatchObject({ reason: 'raised', text: expect.stringContaining('not plain data') })
    expect(failure(() => call('nowhere'))).toMatchObject({ reason: 'missing', text: expect.stringContaining('score.py has no "nowhere"') })
    const load = (name: string) => failure(() => host.load({ kind: 'function', name }))
    expect(load('broken.py:fn')).toMatchObject({ reason: 'raised', where: 'broken.py:2:8' })
    expect(load('lacks.py:fn')).toMatchObject({ reason: 'missing', text: expect.stringContaining('-m pip install no_such_package') })
    expect(load('none.py:fn')).toMatchObject({ reason: 'missing' })
    expect(load('no.such.thing')).toMatchObject({ reason: 'missing' })
    expect(pyStr(call('both', 'x') as never)).toContain('pair')
  })

  test('cannot forge a reply with what it prints', () => {
    expect(call('forges', 'k')).toBe('real')
    expect(call('prints', 'k')).toBe(1)
    expect(call('closes', 'k')).toBe('closed')
    expect(call('forges', 'k')).toBe('real')
  })

  test('is ended with everything that it started', async () => {
    const file = `${folder}/written-later`
    expect(failure(() => call('starts', file))).toMatchObject({ reason: 'stopped' })
    await sleep(3500)
    expect(existsSync(file)).toBe(false)
  })

  test('gets no keys of the environment', () => {
    vi.stubEnv('ROLECALL_TEST_API_KEY', 'k')
    vi.stubEnv('ROLECALL_TEST_ASKED', 'asked')
    vi.stubEnv('ROLECALL_TEST_OTHER', 'other')
    const other = new PythonWorkerHost({ paths: [folder], environment: ['ROLECALL_TEST_ASKED'] })
    const names = other.load({ kind: 'function', name: 'score.py:variables' }).call({ args: [] }) as string[]
    other.close()
    vi.unstubAllEnvs()
    expect(names).toEqual(expect.arrayContaining(['PATH', 'ROLECALL_TEST_ASKED']))
    expect(names.filter((name) => /OTHER|KEY|TOKEN/.test(name))).toEqual([])
    expect(() => new PythonWorkerHost({ paths: [folder], environment: ['OPENAI_API_KEY'] })).toThrow('keys are not passed')
  })

  test('that cannot be started is named', () => {
    expect(() => new PythonWorkerHost({ python: './nowhere/python', paths: [folder] })).toThrow('there is no file')
    const none = new PythonWorkerHost({ python: 'no-such-python-here', paths: [folder] })
    expect(failure(() => none.load({ kind: 'function', name: 'score.py:both' }))).toMatchObject({
      reason: 'missing',
      text: expect.stringContaining('ENOENT'),
    })
    none.close()
  })
})
