import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { runInThisContext } from 'node:vm'
import { type Browser, chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadEmbedded } from '../../node/models/load-embedded.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path))
if (executablePath === undefined) console.warn('the embedded model was not tried in a browser: there is no chromium in /usr/bin')

const root = new URL('../../../../../', import.meta.url)
const questions = ['12+30=?', 'What is the capital of France?', '我想了解今天上海的天气']

/** Runs in the page and in Node; it is text, so that both run the same code. */
const work = `async (model, questions) => {
  const format = { by: 'format', path: 'test' }
  const answers = []
  for (const question of questions) {
    const pieces = [
      { text: '<s><|im_start|>user\\n', control: true, source: format },
      { text: question, control: false, source: { by: 'message', path: 'question' } },
      { text: '<|im_end|>\\n<|im_start|>assistant\\n', control: true, source: format },
    ]
    const prompt = { kind: 'completion', bos: 'in-prompt', pieces, stop: [], notes: [] }
    const { text, ids, logProbabilities } = await model.generate(prompt, { maxTokens: 12 })
    const sampled = await model.generate(prompt, { maxTokens: 12, sampling: { temperature: 1.5, topP: 0.9, seed: 3 } })
    const [scored] = await model.score([prompt])
    answers.push({ text, ids, logProbabilities, sampled: sampled.text, scores: scored.logProbabilities })
  }
  return answers
}`

type Answers = { text: string; ids: number[]; logProbabilities: number[]; sampled: string; scores: (number | null)[] }[]

describe.skipIf(executablePath === undefined)('in Chromium (skipped where there is none in /usr/bin)', () => {
  let server: Server
  let browser: Browser
  let inNode: Answers

  beforeAll(async () => {
    const build = await rolldown({
      input: fileURLToPath(new URL('packages/rolecall/src/models.ts', root)),
      platform: 'browser',
      onLog() {},
    })
    const { output } = await build.generate({ format: 'esm' })
    await build.close()
    const files: Record<string, [type: string, body: string | Buffer]> = {
      '/': ['text/html', '<!doctype html><title>rolecall</title>'],
      ...Object.fromEntries(
        output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, ['text/javascript', file.code]]] : [])),
      ),
      '/weights': ['application/octet-stream', readFileSync(new URL('packages/rolecall/embedded-model/model.int8.safetensors', root))],
      '/tokenizer.json': ['application/json', readFileSync(new URL('packages/rolecall/embedded-model/tokenizer.json', root))],
    }
    server = createServer(({ url = '/' }, response) => {
      const [type, body] = files[url] ?? ['text/plain', '']
      response.writeHead(url in files ? 200 : 404, { 'content-type': type }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] })
    inNode = await runInThisContext(work)(await loadEmbedded(), questions)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  test('the embedded model gives the same answers and the same numbers as in Node', async () => {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const inPage = (await page.evaluate(`(async () => {
      const { openEmbedded } = await import('/models.js')
      const weights = new Uint8Array(await (await fetch('/weights')).arrayBuffer())
      const tokenizer = await (await fetch('/tokenizer.json')).json()
      return (${work})(await openEmbedded({ weights, tokenizer }), ${JSON.stringify(questions)})
    })()`)) as Answers
    expect(inPage.map(({ text, ids, sampled }) => ({ text, ids, sampled }))).toEqual(
      inNode.map(({ text, ids, sampled }) => ({ text, ids, sampled })),
    )
    for (const [index, { logProbabilities, scores }] of inPage.entries()) {
      const numbers = [...logProbabilities, ...scores.slice(1)] as number[]
      const expected = [...inNode[index]!.logProbabilities, ...inNode[index]!.scores.slice(1)] as number[]
      expect(numbers).toHaveLength(expected.length)
      for (const [place, number] of numbers.entries()) expect(number).toBe(expected[place])
    }
    expect(inPage[0]!.text).toBe('42')
  }, 120_000)
})
