import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../../proof/testing/rolecall.ts'

test('a web page at base_url ends the run within 2 s of the first request, not after attempts for every row', async () => {
  const asked: number[] = []
  const server = createServer((_, response) => {
    asked.push(performance.now())
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><html><body>Welcome</body></html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`
  const datasets = [
    {
      abbr: 'sums',
      rows: Array.from({ length: 50 }, (_, index) => ({ question: `${index} + 1 = ?`, answer: String(index + 1) })),
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ]
  const models = ['one', 'other'].map((path) => ({ abbr: path, type: 'openai', path, base_url }))
  const folder = folderWith({ 'rolecall.config.json': JSON.stringify({ models, datasets }) })
  try {
    const { code, stderr } = await rolecall(['run', '-w', 'out'], folder, { ROLECALL_CACHE: 'off' })
    expect(performance.now() - asked[0]!).toBeLessThan(2000)
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${base_url} answers with a web page\n  → check base_url`)])
    // Those that were sent at the same time as the first.
    expect(asked.length).toBeLessThan(50)
  } finally {
    server.close()
  }
})
