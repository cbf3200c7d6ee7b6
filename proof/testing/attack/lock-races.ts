import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Attack } from './attack.ts'

const jiti = fileURLToPath(new URL('../../../node_modules/jiti/lib/jiti.cjs', import.meta.url))
const library = fileURLToPath(new URL('../../../packages/rolecall/src/node/runs/run-lock.ts', import.meta.url))
const racers = 4
const rounds = 40

/** Several processes find the same stale lock concurrently, and race for it. */
export const lockRaces: Attack = {
  name: 'lock races',
  holds: 'of processes that start together, one gets the run',
  async run({ goesOn, tried, gotThrough }) {
    while (goesOn()) {
      const folder = mkdtempSync(join(tmpdir(), 'rolecall-locks-'))
      try {
        for (let round = 0; round < rounds; round++) {
          mkdirSync(join(folder, String(round)))
          // The PID of a dead process.
          writeFileSync(
            join(folder, String(round), 'lock'),
            JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), started: '1', token: 'dead' }),
          )
        }
        writeFileSync(join(folder, 'race.cjs'), program(folder))
        await Promise.all(Array.from({ length: racers }, (_, number) => race(folder, number)))
        const winners = Array.from(
          { length: racers },
          (_, number) => JSON.parse(readFileSync(join(folder, `won-${number}`), 'utf8')) as number[],
        )
        for (let round = 0; round < rounds; round++) {
          const won = winners.filter((list) => list.includes(round)).length
          tried()
          if (won !== 1) gotThrough(`round ${round} had ${won} winners`)
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  },
}

function race(folder: string, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, 'race.cjs'), String(number)], { stdio: 'inherit' })
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`a racer ended with ${code}`))))
  })
}

/** Each round starts when all have arrived, signalled by files; the winner keeps the lock until all have tried. */
function program(folder: string): string {
  return `const fs = require('node:fs'); const { join } = require('node:path')
require(${JSON.stringify(jiti)})(__filename).import(${JSON.stringify(library)}).then(({ RunLock }) => {
  const folder = ${JSON.stringify(folder)}; const number = Number(process.argv[2]); const won = []; const locks = []
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const wait = (mark) => {
    fs.writeFileSync(join(folder, mark + '-' + number), '')
    for (let tries = 0; !Array.from({ length: ${racers} }, (_, other) => fs.existsSync(join(folder, mark + '-' + other))).every(Boolean); tries++) if (tries > 200) Atomics.wait(pause, 0, 0, 1)
  }
  for (let round = 0; round < ${rounds}; round++) {
    wait('begin-' + round)
    try { locks.push(new RunLock(join(folder, String(round), 'lock'))); won.push(round) } catch (error) { if (error.code !== 'run-in-use') throw error }
  }
  wait('end')
  fs.writeFileSync(join(folder, 'won-' + number), JSON.stringify(won))
  for (const lock of locks) lock.release()
}).catch((error) => { console.error(error); process.exit(1) })`
}
