import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readSentencePiece } from './sentencepiece-tokenizer.ts'

// The output of Google's sentencepiece for some hundred texts with each model, recorded by make_models.py.

type Expected = { origin: string; bos: number; eos: number; cases: { text: string; ids: string }[] }

const folder = new URL('models/', import.meta.url)
const models = readdirSync(folder).flatMap((file) => (file.endsWith('.model') ? [file.slice(0, -'.model'.length)] : []))

describe('as the reference', () => {
  test('there are models', () => expect(models.length).toBeGreaterThan(3))

  for (const model of models) {
    const expected: Expected = JSON.parse(readFileSync(new URL(`${model}.json`, folder), 'utf8'))
    const tokenizer = readSentencePiece(readFileSync(new URL(`${model}.model`, folder)), model)

    test(`${model}: ${expected.cases.length} texts`, () => {
      const different = expected.cases.flatMap(({ text, ids }) => {
        const found = tokenizer.encodeRun(text, true, () => false).ids.join(' ')
        return found === ids ? [] : [{ text, ids, found }]
      })
      expect(different).toEqual([])
    })

    test(`${model}: BOS and EOS`, () => {
      expect([tokenizer.bos ?? -1, tokenizer.eos ?? -1]).toEqual([expected.bos, expected.eos])
      expect(tokenizer.before).toEqual(expected.bos < 0 ? [] : [expected.bos])
    })
  }
})

describe('as the reference on this machine', async () => {
  const script = fileURLToPath(new URL('make_models.py', import.meta.url))
  if ((await python(['-c', 'import sentencepiece'])) === undefined) {
    test.skip('skipped: /usr/bin/python3 cannot import sentencepiece (Debian: apt-get install python3-sentencepiece)')
    return
  }

  test('models of every kind, trained now, give the same ids', { timeout: 120_000 }, async () => {
    const trained = mkdtempSync(join(tmpdir(), 'sentencepiece-'))
    try {
      expect(await python([script, 'train', trained])).toBe('')
      const files = readdirSync(trained)
      expect(files.length).toBe(48)
      const texts: string[] = JSON.parse((await python([script, 'texts', '1000', `${150 * files.length}`]))!)
      const requests = files.map((file, index) => ({
        model: join(trained, file),
        texts: texts.filter((_, at) => at % files.length === index),
      }))
      const answers = (await python([script, 'encode'], requests.map((request) => `${JSON.stringify(request)}\n`).join('')))!
        .trim()
        .split('\n')
      requests.forEach(({ model, texts }, index) => {
        const expected: number[][] = JSON.parse(answers[index]!)
        const tokenizer = readSentencePiece(readFileSync(model), model)
        const different = texts.filter((text, at) => tokenizer.encodeRun(text, true, () => false).ids.join() !== expected[at]!.join())
        expect(different, model).toEqual([])
      })
    } finally {
      rmSync(trained, { recursive: true })
    }
  })
})

/** What Python prints, or undefined when it cannot be run or fails. */
function python(args: string[], input = ''): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile('/usr/bin/python3', args, { maxBuffer: 1e9 }, (error, stdout) => resolve(error ? undefined : stdout))
    // Without Python this test is skipped; the callback gives the reason.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
  })
}
