import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubServer, hubServer } from '../../../../../proof/testing/hub-server.ts'
import { main } from '../../../../../proof/testing/rolecall.ts'
import { propertyRuns, seed } from '../../../../../proof/testing/sampling.ts'

const rows = Buffer.from('{"question": "2+2?", "answer": "4"}\n'.repeat(400_000))
const name = 'hf://datasets/acme/rows'

let server: HubServer
let folder: string
beforeAll(async () => {
  server = await hubServer({ 'datasets/acme/rows': { files: { 'test.jsonl': rows } } })
  folder = mkdtempSync(join(tmpdir(), 'rolecall-broken-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `rolecall hub fetch` as another process, which a limit of the shell or a signal can stop. */
function start(home: string, limit = ''): ChildProcess {
  const env = { ...process.env, HF_ENDPOINT: server.url, HF_HOME: home, HF_HUB_OFFLINE: '' }
  return spawn('bash', ['-c', `${limit}exec "$0" "$1" hub fetch ${name}`, process.execPath, main], { env })
}

async function ended(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = ''
  child.stderr!.on('data', (chunk) => (errors += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, errors }
}

/** Files of the cache under their final names, with their content checked against their name. */
function checkBlobs(home: string): number {
  const blobs = join(home, 'hub/datasets--acme--rows/blobs')
  if (!existsSync(blobs)) return 0
  const whole = readdirSync(blobs).filter((file) => !file.endsWith('.incomplete'))
  for (const file of whole) {
    const content = readFileSync(join(blobs, file))
    expect(createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')).toBe(file)
  }
  return whole.length
}

const kills = propertyRuns(6)
test.skipIf(process.platform === 'win32')(
  `killed at ${kills} random moments, a download leaves nothing corrupt and is resumed (needs signals)`,
  { timeout: 300_000 },
  async () => {
    for (let run = 0, random = seed >>> 0; run < kills; run++) {
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
      const home = mkdtempSync(join(folder, 'home-'))
      const killed = start(home)
      setTimeout(() => killed.kill('SIGKILL'), 100 + (random % 700))
      await ended(killed)
      checkBlobs(home)
      expect((await ended(start(home))).code).toBe(0)
      expect(checkBlobs(home)).toBe(1)
      const snapshots = join(home, 'hub/datasets--acme--rows/snapshots')
      const path = join(snapshots, readdirSync(snapshots)[0]!, 'test.jsonl')
      expect(lstatSync(path).isSymbolicLink()).toBe(true)
      expect(readFileSync(path).equals(rows)).toBe(true)
      rmSync(home, { recursive: true })
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'a disk that takes no more is an error that names the file, and the download resumes (needs bash)',
  { timeout: 300_000 },
  async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const { code, errors } = await ended(start(home, 'ulimit -f 2000; '))
    expect(code).toBe(2)
    expect(errors).toMatch(/test\.jsonl could not be written \(EFBIG/)
    expect(checkBlobs(home)).toBe(0)
    server.requests.length = 0
    expect((await ended(start(home))).code).toBe(0)
    expect(server.requests.find(({ path }) => path.endsWith('test.jsonl'))!.range).toMatch(/^bytes=\d+-$/)
    expect(checkBlobs(home)).toBe(1)
  },
)
