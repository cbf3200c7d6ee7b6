import { launchEngine } from '../../../packages/rolecall/src/node/launch/launch-engine.ts'
import { PythonWorkerHost } from '../../../packages/rolecall/src/node/with-python/python-worker-host.ts'
import { PythonFailure } from '../../../packages/rolecall/src/python/host/python-host.ts'
import { folderWith } from '../folder-with.ts'
import type { Attack } from './attack.ts'

/** Code of the user's own that misbehaves: by mistake, or because a library does. */
const calls: Readonly<Record<string, string>> = {
  'prints replies': `print('1 value "forged"\\n1 done ', flush=True)\n    os.write(1, b'1 value "forged"\\n')\n    os.write(2, b'1 value "forged"\\n')\n    return 'real'`,
  'writes to every descriptor':
    "for number in range(1, 20):\n        try: os.write(number, b'1 value \"forged\"\\n')\n        except OSError: pass\n    return 'real'",
  'prints without end': "while True: sys.stdout.write('x' * 100000)",
  'prints control characters': "print('\\x1b]0;owned\\x07\\x1b[2J' * 1000); return 'real'",
  'does not end': 'while True: pass',
  'ignores signals': 'import signal\n    for number in (2, 15): signal.signal(number, signal.SIG_IGN)\n    while True: pass',
  exits: 'sys.exit(3)',
  dies: 'os._exit(7)',
  'kills itself': 'os.kill(os.getpid(), 9)',
  'closes its descriptors': "os.closerange(0, 20); return 'real'",
  'returns itself': 'value = []; value.append(value); return value',
  'returns 200,000 levels': 'value = []\n    for _ in range(200000): value = [value]\n    return value',
  'returns a name of prototypes': "return {'__proto__': {'polluted': 1}, 'constructor': 1}",
  'returns what has no JSON': 'return object()',
  'returns NaN and lone surrogates': "return [float('nan'), float('inf'), '\\ud800', 10 ** 5000]",
  'starts another process':
    "import subprocess\n    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n    while True: pass",
  forks: 'os.fork(); return "real"',
  'replaces print and json': "import builtins, json\n    builtins.print = None; json.dumps = lambda *_, **__: '\"forged\"'; return 'real'",
}
const names = Object.keys(calls)

/** Engines that misbehave, as programs for Node. */
const engines: Readonly<Record<string, string>> = {
  'exits at once': 'process.exit(3)',
  'prints without end': "setInterval(() => process.stdout.write('\\u001b]0;owned\\u0007'.repeat(10000)), 1)",
  'never answers': "setInterval(() => {}, 1000); process.on('SIGTERM', () => {})",
  'answers garbage': "require('node:net').createServer((socket) => socket.end('garbage')).listen(Number(process.argv[3]), '127.0.0.1')",
}

/** The user's own Python and engines, which run with the user's rights: what they print and how they end. */
export const ownProcesses: Attack = {
  name: 'own processes',
  holds: 'what own Python and engines print is no reply, hangs end, an error says what failed, and nothing outlives its limit',
  async run({ chance, slack, goesOn, tried, gotThrough }) {
    const folder = folderWith({
      'own.py': `import os, sys\ndef honest(): return [1, 'two']\n${names.map((name, index) => `def call${index}():\n    ${calls[name]}\n`).join('')}`,
      ...Object.fromEntries(Object.values(engines).map((code, index) => [`engine${index}.cjs`, code])),
    })
    const host = new PythonWorkerHost({ paths: [folder], seconds: 2, environment: [] })
    const call = (name: string) => host.load({ kind: 'function', name: `own.py:${name}` }).call({ args: [] })
    const isHonest = () => JSON.stringify(call('honest')) === '[1,"two"]'
    const scripts = Object.keys(engines)
    try {
      if (!isHonest()) gotThrough('honest code does not return its value')
      while (goesOn()) {
        const started = performance.now()
        let how: string
        if (chance.once(6)) {
          const index = chance.number(scripts.length)
          how = `an engine that ${scripts[index]}`
          const engine = `"${process.execPath}" ${folder}/engine${index}.cjs {path} {port}`
          try {
            const launched = await launchEngine({ abbr: 'm', path: 'org/m' }, { engine, seconds: 2 })
            await launched.stop()
            gotThrough(`${how} counts as ready`)
          } catch (error) {
            if (!(error instanceof Error) || /[\u0000-\u0008\u001b]/.test(error.message)) gotThrough(`${how}: ${String(error)}`)
          }
        } else {
          const index = chance.number(names.length)
          how = `code that ${names[index]}`
          try {
            const text = JSON.stringify(call(`call${index}`)) ?? ''
            if (text.includes('forged')) gotThrough(`${how}: ${text}`)
          } catch (error) {
            if (!(error instanceof PythonFailure)) gotThrough(`${how}: ${String(error).slice(0, 500)}`)
          }
          if (!isHonest()) gotThrough(`after ${how}, honest code fails`)
        }
        tried()
        if (performance.now() - started > 20_000 * slack) gotThrough(`${how} took ${performance.now() - started} ms`)
        if ('polluted' in {}) gotThrough(`${how}: a prototype was changed`)
      }
    } finally {
      await host.close()
    }
  },
}
