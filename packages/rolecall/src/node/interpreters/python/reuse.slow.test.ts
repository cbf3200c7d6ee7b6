import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPython, warnIfMissing } from '../../../../../../proof/testing/on-demand.ts'
import { keepPythonSnapshot } from '../../../../../../proof/testing/python-snapshot.ts'
import { propertyRuns, sampleOf, triesAll } from '../../../../../../proof/testing/sampling.ts'
import { showOutputs } from '../../../model/agent/show-outputs.ts'
import { type PythonSandbox, pythonSandbox } from './python-sandbox.ts'

keepPythonSnapshot()

warnIfMissing(hasPython, 'a Python that is used again', 'deno and pyodide')

/** Programs that change only Python's memory, however badly: the process is reused. */
const memoryOnly: Record<string, string> = {
  builtins: 'import builtins\nbuiltins.sum = lambda *_: 7\nbuiltins.exec = builtins.AssertionError = None\ndel builtins.open',
  'what == means': 'import collections\ncollections.Counter.__eq__ = lambda *_: True\ncollections.Counter.__bool__ = lambda *_: True',
  'the modules that are loaded':
    'import sys, math\nsys.modules["json"] = math\nmath.sqrt = lambda _: 7\nsys.modules.pop("re")\nsys.path.clear()',
  'every module and what they hold': 'import gc, sys\nsys.modules.clear()\ngc.collect()',
  'how modules are found':
    'import sys\nclass Finder:\n    def find_spec(*_): raise SystemExit\nsys.meta_path.insert(0, Finder)\nsys.path_hooks.clear()',
  'random numbers': 'import random\nrandom.seed(1)\nrandom.random = lambda: 0.5',
  'how deep calls may go': 'import sys\nsys.setrecursionlimit(40)',
  numbers: 'import decimal, sys\ndecimal.getcontext().prec = 1\nsys.set_int_max_str_digits(640)',
  'the environment': 'import os\nos.environ["MADE"] = "1"\nos.environ.pop("HOME", None)',
  traces: 'import sys\ndef trace(*_): raise ValueError("traced")\nsys.setprofile(trace)\nsys.settrace(trace)',
  'what is done at the end':
    'import atexit, weakref, sys\natexit.register(print, "left")\nclass Last:\n    def __del__(self): print("deleted")\nsys.last = Last()',
  'hooks and warnings':
    'import sys, warnings\nsys.excepthook = sys.displayhook = None\nwarnings.simplefilter("error")\nsys.addaudithook(lambda *_: None)',
  'the output': 'import sys, io\nsys.stdout = sys.stderr = sys.stdin = io.StringIO()',
  'the clock': 'import time\ntime.time = time.monotonic = time.sleep = lambda *_: 0',
  'the cell runner': 'import __main__\n__main__._run_cell = __main__._seed = None\n__main__.__dict__.clear()',
  'json and traceback': 'import json, traceback\njson.dumps = traceback.format_exception = lambda *_, **__: "planted"',
  'the collector of garbage': 'import gc\ngc.disable()\ngc.freeze()',
  'an exit': 'import sys\nsys.exit(0)',
  'a failure': 'raise KeyboardInterrupt',
  'a deep recursion': 'def deep(): return deep()\ndeep()',
  'a thread, which there are none of': 'import threading\nthreading.Thread(target=print).start()',
  'some memory': 'made = bytearray(20_000_000)\nmade[:] = b"x" * len(made)',
  'files that are read': 'open("/lib/python314.zip", "rb").read(100)\nimport os\nos.listdir("/")',
  imports: 'import unittest, xml.dom, html.parser',
}

/** Programs that change more: the process is replaced. */
const more: Record<string, string> = {
  'what Python itself needs': 'import builtins\nbuiltins.len = builtins.isinstance = builtins.type = None',
  'a file': 'open("made.txt", "w").write("x")',
  'the standard library': 'open("/lib/python314.zip", "wb").write(b"")',
  'a file that was opened for reading':
    'import fcntl, os\nfile = os.open("/lib/python314.zip", os.O_RDONLY)\nfcntl.fcntl(file, fcntl.F_SETFL, os.O_RDWR)\nos.write(file, b"xxxx")\nos.close(file)',
  'an open file': 'import os\nos.open("/lib/python314.zip", os.O_RDONLY)',
  'a closed output': 'import os\nos.close(1)',
  'another output': 'import os\nos.dup2(0, 1)',
  'the folder': 'import os\nos.chdir("/tmp")',
  JavaScript: 'import js\njs.globalThis.Array.prototype.map = None\njs.globalThis.made = 1',
  'JavaScript that claims to have done nothing':
    'from pyodide.code import run_js\nrun_js("self.onmessage = ({ data }) => self.postMessage({ token: data.token, done: { restored: true, value: \'stolen\' } }); 1")',
  'memory, by its address': 'import ctypes\nctypes.memset(id(1), 0, 4)',
  'much memory': 'made = bytearray(200_000_000)',
  'an exit without end': 'import os\nos._exit(0)',
  'a task': 'import asyncio\nasyncio.get_event_loop().call_later(0, print, "late")',
}

/** State that a program may depend on. */
const probe = `
import builtins, collections, decimal, gc, json, math, os, random, re, statistics, sys, time, warnings
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
begin = time.monotonic()
time.sleep(0.001)
print(json.dumps([
    sum([1, 2]), len('abc'), isinstance(1, int), math.sqrt(4), deep(300), sys.getrecursionlimit(), re.sub('a', 'b', 'aa'),
    collections.Counter('a') == collections.Counter('b'), str(decimal.Decimal(1) / 3), sys.get_int_max_str_digits(),
    sorted(os.environ), os.getcwd(), os.listdir('.'), sorted(os.listdir('/lib')), open('/lib/python314.zip', 'rb').read(4).decode('latin1'),
    time.monotonic() > begin, time.time() > 1e9, gc.isenabled(), gc.get_freeze_count(), sys.gettrace() is None, sys.getprofile() is None,
    len(sys.modules), len(sys.path), len(sys.meta_path), len(sys.path_hooks), len(warnings.filters), hasattr(sys, 'last'), 'made' in globals(),
    len(dir(builtins)), [random.random() for _ in range(3)] == [0.5] * 3, statistics.mean([1, 3]), hash('a'),
]))
import colorsys
len(gc.get_objects()), colorsys.rgb_to_hls(1, 0, 0)`

describe.skipIf(!hasPython)('a Python that is used again is as new (skipped where deno or pyodide is missing):', () => {
  let sandbox: PythonSandbox
  let asNew: string
  const shown = async (code: string) => showOutputs((await sandbox.run(code)).outputs)

  beforeAll(async () => {
    sandbox = pythonSandbox()
    asNew = await shown(probe)
    expect(asNew).toContain('[3, 3, true, 2.0, 300,')
    await sandbox.restart()
  }, 120_000)
  afterAll(() => sandbox?.close())

  test('after any programs that change Python’s memory, in the same process', async () => {
    const { pid } = sandbox
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(Object.keys(memoryOnly), { minLength: 1, maxLength: 6 }), async (names) => {
        for (const name of names) {
          await sandbox.run(memoryOnly[name]!)
          await sandbox.restart()
        }
        expect(await shown(probe)).toBe(asNew)
        await sandbox.restart()
        expect(sandbox.pid).toBe(pid)
      }),
      { numRuns: propertyRuns(10) },
    )
    for (const [name, code] of Object.entries(memoryOnly)) {
      await sandbox.run(code)
      await sandbox.restart()
      expect([name, sandbox.pid, await shown(probe)]).toEqual([name, pid, asNew])
      await sandbox.restart()
    }
  }, 120_000)

  test('after a program that never ended', async () => {
    // On a busy machine, the interrupt may come too late, and the process is replaced.
    await sandbox.run('while True: pass', { signal: AbortSignal.timeout(200) })
    await sandbox.restart()
    expect(await shown(probe)).toEqual(asNew)
    await sandbox.restart()
  }, 60_000)

  // Each ends a process: CI tries a sample, another one for each commit.
  for (const [name, code] of sampleOf(Object.entries(more), triesAll ? 7 : 3))
    test(`after one that changed more, in another process: ${name}`, async () => {
      const { pid } = sandbox
      await sandbox.run(code)
      await sandbox.restart()
      expect([sandbox.pid === pid, await shown(probe)]).toEqual([false, asNew])
      await sandbox.restart()
    }, 60_000)

  test('random numbers differ each time', async () => {
    const draws = new Set<string>()
    for (let count = 0; count < 3; count++) {
      draws.add(await shown('import random\nrandom.random()'))
      await sandbox.restart()
    }
    expect(draws.size).toBe(3)
  }, 60_000)
})
