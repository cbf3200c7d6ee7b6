import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { z } from 'zod'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { HubClient, HubUnreachable } from '../../../packages/rolecall/src/node/hub/hub-client.ts'
import { huggingFaceSettings } from '../../../packages/rolecall/src/node/hub/hub-settings.ts'
import { readArchive, unzip } from '../../../packages/rolecall/src/node/hub/unzip.ts'
import { readRows } from '../../../packages/rolecall/src/node/rows/read-rows.ts'
import { resultFiles } from '../../../packages/rolecall/src/node/runs/foreign/result-files.ts'
import { parquetBombs } from '../parquet-file.ts'
import { scriptedServer } from '../scripted-server.ts'
import { zipOf } from '../zip-of.ts'
import type { Attack } from './attack.ts'

/** Bytes that a bomb unpacks to, and how much memory reading it may take. */
const unpacked = 24 << 20
const mostMemory = 200 * 2 ** 20

/** Archives, compressed files, pages and answers that unpack to a thousand times their size, in every reader. */
export const unpackBombs: Attack = {
  name: 'unpack bombs',
  holds: `what unpacks to ${unpacked >> 20} MB from less than a megabyte is refused by name, within ${mostMemory / 2 ** 20} MB`,
  async run({ chance, goesOn, tried, gotThrough }) {
    while (goesOn()) {
      const folder = mkdtempSync(join(tmpdir(), 'rolecall-bomb-'))
      const { name, make, read } = chance.pick(bombs)
      try {
        const file = join(folder, name)
        writeFileSync(file, make())
        const before = process.memoryUsage().rss
        const outcome: unknown = await read(file).catch((error: unknown) => error)
        tried()
        const isRefused = outcome instanceof PromptError || outcome instanceof HubUnreachable
        if (!isRefused) gotThrough(`${name} of ${statSync(file).size} bytes: ${outcome instanceof Error ? outcome.stack : 'it was read'}`)
        const grown = process.memoryUsage().rss - before
        if (grown > mostMemory) gotThrough(`${name}: ${grown >> 20} MB more`)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  },
}

type Bomb = { name: string; make(): Uint8Array; read(file: string): Promise<unknown> }

const text = () => '{"a":0}\n'.repeat(unpacked / 8)
const zip = () => zipOf({ 'header.json': '{}', 'samples/1.json': text() })
const parquet = () =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'text', data: [text()], type: 'STRING' }],
      codec: 'GZIP',
      compressors: { GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)) },
    }),
  )

async function readAll(file: string): Promise<void> {
  for await (const _ of readRows(file));
}

/** An answer of a hub, which asks for none that is compressed. */
async function ask(encoding: string, file: string): Promise<unknown> {
  const packed = readFileSync(file)
  const server = await scriptedServer(() => (response) => void response.writeHead(200, { 'content-encoding': encoding }).end(packed))
  const client = new HubClient(huggingFaceSettings({ HF_ENDPOINT: server.url }), () => ({}))
  try {
    return await client.json('api/models/a/b', z.unknown())
  } finally {
    await client.close()
    await server.close()
  }
}

const bombs: readonly Bomb[] = [
  { name: 'log.eval', make: zip, read: async (file) => (await resultFiles(file).archive('log.eval')).text('samples/1.json') },
  { name: 'wheel.whl', make: zip, read: async (file) => readArchive(file).content('samples/1.json') },
  { name: 'rows.zip', make: zip, read: (file) => unzip(file, `${file}.unpacked`) },
  { name: 'rows.jsonl.gz', make: () => gzipSync(text()), read: readAll },
  { name: 'rows.parquet', make: parquet, read: readAll },
  ...Object.entries(parquetBombs).map(([what, make]) => ({ name: `${what.replaceAll(' ', '-')}.parquet`, make, read: readAll })),
  { name: 'answer.gzip', make: () => gzipSync(text()), read: (file) => ask('gzip', file) },
  {
    name: 'answer.br',
    make: () => brotliCompressSync(text(), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
    read: (file) => ask('br', file),
  },
]
