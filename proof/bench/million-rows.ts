import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compilePrompt, type Row } from '../../packages/rolecall/src/datasets.ts'
import { ByteSink } from '../../packages/rolecall/src/formats.ts'
import { parseJson } from '../../packages/rolecall/src/python.ts'
import { renderingCases } from './rendering-cases.ts'

/**
 * `npm run bench -- million [ROWS]`: renders a million rows from a JSONL file to a JSONL file of prompts. Rows are streamed, so
 * memory does not grow with the dataset; prints the peak with the rate.
 */
const count = Number(process.argv[2] ?? 1_000_000)
const { model, dataset, train, test } = renderingCases[0]!
const folder = mkdtempSync(join(tmpdir(), 'rolecall-'))
const [input, output] = [join(folder, 'rows.jsonl'), join(folder, 'prompts.jsonl')]

try {
  await writeRows(input, count)
  const started = performance.now()
  await renderRows(input, output)
  const seconds = (performance.now() - started) / 1000
  const peak = process.resourceUsage().maxRSS / 1024
  const size = existsSync(output) ? statSync(output).size / 1e9 : 0
  process.stdout.write(
    `${count.toLocaleString('en')} rows in ${seconds.toFixed(1)} s: ${Math.round(count / seconds).toLocaleString('en')} rows/s, ${size.toFixed(2)} GB written, peak memory ${peak.toFixed(0)} MB\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function writeRows(path: string, rows: number): Promise<void> {
  const file = createWriteStream(path)
  const lines = test.map((row) => `${JSON.stringify(row)}\n`)
  for (let index = 0; index < rows; index += lines.length) {
    if (!file.write(lines.slice(0, Math.min(lines.length, rows - index)).join(''))) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

async function renderRows(from: string, to: string): Promise<void> {
  const prepared = compilePrompt(model, dataset).prepare({ mode: 'gen' })
  const examples = train.slice(0, 5)
  const file = createWriteStream(to)
  const sink = new ByteSink(1 << 20)
  for await (const line of createInterface({ input: createReadStream(from), crlfDelay: Number.POSITIVE_INFINITY })) {
    sink.writeText(JSON.stringify({ prompt: prepared.text(parseJson(line) as Row, examples) }))
    sink.writeText('\n')
    if (sink.length < 1 << 19) continue
    // The stream retains its input, and the sink is overwritten.
    const more = file.write(sink.written().slice())
    sink.clear()
    if (!more) await once(file, 'drain')
  }
  file.end(sink.written().slice())
  await once(file, 'finish')
}
