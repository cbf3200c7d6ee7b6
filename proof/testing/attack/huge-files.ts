import { appendFileSync, createReadStream, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import { LineSource } from '../../../packages/rolecall/src/cli/chat/run-chat.ts'
import { plainRows } from '../../../packages/rolecall/src/compat/results/plain-rows.ts'
import { loadConfig } from '../../../packages/rolecall/src/node/config/load-config.ts'
import { loadChatTemplate } from '../../../packages/rolecall/src/node/models/load-chat-template.ts'
import { loadTokenizer } from '../../../packages/rolecall/src/node/models/load-tokenizer.ts'
import { readRows } from '../../../packages/rolecall/src/node/rows/read-rows.ts'
import { AnswerCaches } from '../../../packages/rolecall/src/node/runs/answer-cache.ts'
import { resultFiles } from '../../../packages/rolecall/src/node/runs/foreign/result-files.ts'
import { openRecords } from '../../../packages/rolecall/src/node/runs/records/records.ts'
import type { Attack } from './attack.ts'

/** Bytes of the line. The file is sparse: it takes no place on the disk. */
const gigabyte = 2 ** 30

/** How much memory a file may cost: a string can hold half of it, and is refused before. */
const mostMemory = 800 * 2 ** 20

type Reader = {
  name: string
  head: string
  tail: string
  /** Returns the number of rows found; a refusal throws. */
  read(file: string): Promise<number>
}

const row = '{"id": 0, "question": "1+1", "answer": "2", "prediction": "2", "key": "00000000000000000000000000000000"}'
const json = { head: `${row}\n{"question": "`, tail: `"}\n${row}\n` }

const readers: readonly Reader[] = [
  ...['rows.jsonl', 'rows.json', 'rows.csv', 'rows.tsv'].map(
    (name): Reader => ({
      name,
      ...json,
      async read(file) {
        let count = 0
        for await (const _ of readRows(file)) count++
        return count
      },
    }),
  ),
  {
    name: 'records.jsonl',
    ...json,
    async read(file) {
      const records = openRecords(file)
      try {
        return records.count + records.unreadable({ isComplete: true })
      } finally {
        records.close()
      }
    },
  },
  {
    name: 'results.jsonl',
    ...json,
    async read(file) {
      let count = 0
      for (const { pairs } of await plainRows.read(resultFiles(file))) {
        for (const pair of pairs) for await (const _ of pair.rows(() => void count++)) count++
      }
      return count
    },
  },
  {
    name: `answers/${'e'.repeat(32)}.jsonl`,
    ...json,
    async read(file) {
      const caches = new AnswerCaches(join(file, '..', '..'))
      const found = caches.for('e'.repeat(32)).find('e'.repeat(64), () => undefined)
      return found === undefined ? caches.problems.size : 0
    },
  },
  { name: 'template.jinja', head: '{{ messages }}', tail: '', read: async (file) => Object.keys(loadChatTemplate(file).templates).length },
  { name: 'tokenizer.json', head: '{"model": "', tail: '"}', read: async (file) => loadTokenizer(file).size ?? 0 },
  { name: 'tokenizer.model', head: '\n\u000e', tail: '', read: async (file) => loadTokenizer(file).size ?? 0 },
  { name: 'eval.yaml', head: 'models: [', tail: ']', read: async (file) => (await loadConfig(file)).config.models.length },
  { name: 'eval.json', head: '{"models": "', tail: '"}', read: async (file) => (await loadConfig(file)).config.models.length },
  {
    name: 'input.txt',
    head: 'hello\n',
    tail: '\n',
    async read(file) {
      const lines = new LineSource(createReadStream(file), undefined, () => undefined)
      let count = 0
      while ((await lines.next()) !== undefined) count++
      return count
    },
  },
]

/** A line of a gigabyte in every kind of file that commands read. */
export const hugeFiles: Attack = {
  name: 'huge files',
  isLong: true,
  holds: `a line of 1 GB is refused with the name of the file, or skipped and counted, within ${mostMemory / 2 ** 20} MB`,
  async run({ chance, goesOn, tried, gotThrough }) {
    const left: Reader[] = []
    while (goesOn()) {
      if (left.length === 0) left.push(...readers)
      const { name, head, tail, read } = left.splice(chance.number(left.length), 1)[0]!
      const folder = mkdtempSync(join(tmpdir(), 'rolecall-huge-'))
      try {
        const file = writeHuge(folder, name, head, tail)
        const before = process.memoryUsage().rss
        const peakBefore = process.resourceUsage().maxRSS * 1024
        const outcome = await read(file).catch((error: unknown) => error)
        tried()
        const peak = process.resourceUsage().maxRSS * 1024
        if (!(outcome instanceof PromptError) && !(typeof outcome === 'number' && outcome > 0)) {
          gotThrough(`${name}: ${outcome instanceof Error ? outcome.stack : `nothing was said (${String(outcome)})`}`)
        }
        if (outcome instanceof PromptError && !`${outcome.where} ${outcome.problem}`.match(/rolecall-huge-|the input/)) {
          gotThrough(`${name}: the error does not name the file: ${outcome.message}`)
        }
        if (peak > peakBefore && peak - before > mostMemory) gotThrough(`${name}: ${Math.round((peak - before) / 2 ** 20)} MB more`)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
}

function writeHuge(folder: string, name: string, head: string, tail: string): string {
  const file = join(folder, name)
  // The folder of a cache is made by its reader.
  if (name.includes('/')) new AnswerCaches(folder).for('none')
  writeFileSync(file, head)
  truncateSync(file, statSync(file).size + gigabyte)
  appendFileSync(file, tail)
  return file
}
