import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showOutputs } from '../../../packages/rolecall/src/model/agent/show-outputs.ts'
import { pythonSandbox } from '../../../packages/rolecall/src/node/interpreters/python/python-sandbox.ts'
import type { Attack, Chance } from './attack.ts'
import { sandboxAttacks } from './sandbox-attacks.ts'

const secret = 'the-secret-of-this-machine'

/** Escapes from the Python sandbox, each plain, in a thread, at exit, in a class, and after others, whose leftovers may help. */
export const sandboxEscapes: Attack = {
  name: 'sandbox escapes',
  holds: 'nothing on this machine is read, written, run or contacted',
  async run({ chance, goesOn, tried, gotThrough }) {
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-attack-'))
    writeFileSync(join(folder, 'secret.txt'), secret)
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const python = pythonSandbox({ softLimit: 2000, grace: 4000, maxOutput: 10_000, memory: 256 })
    try {
      const codes = Object.values(sandboxAttacks)
      while (goesOn()) {
        const code = wrapped(chance.pick(codes), chance).replaceAll('FOLDER', folder).replaceAll('PORT', String(port))
        const { outputs } = await python.run(code)
        tried()
        if (showOutputs(outputs).includes(secret)) gotThrough(`it read the secret: ${code}`)
        if (readdirSync(folder).length !== 1) gotThrough(`it wrote a file: ${code}`)
        if (connections > 0) gotThrough(`it made a connection: ${code}`)
        connections = 0
        if (chance.once(10)) await python.restart()
      }
    } finally {
      await python.close()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function wrapped(code: string, chance: Chance): string {
  const indented = code.replaceAll('\n', '\n    ')
  const inFunction = code.includes('await ') ? 'async def attack():' : 'def attack():'
  switch (chance.number(4)) {
    case 0:
      return `try:\n    ${indented}\nexcept BaseException as e:\n    print(repr(e), getattr(e, '__traceback__', None))`
    case 1:
      return `${inFunction}\n    ${indented}\n${code.includes('await ') ? 'await ' : ''}attack()`
    case 2:
      return `import sys, builtins\nsys.setrecursionlimit(10**6)\n${code}`
    default:
      return code
  }
}
