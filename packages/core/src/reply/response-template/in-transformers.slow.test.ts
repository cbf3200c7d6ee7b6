import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { succeeds } from '../../../../../proof/testing/run-program.ts'
import { stringifyJson } from '../../base/python/index.ts'
import { compileChat } from '../../internal/compile.ts'
import { probeTools } from '../derive/probes.ts'
import { findSyntax } from '../find-syntax.ts'
import { deriveResponseTemplate, parseExactResponse } from './index.ts'

// The Python that has transformers 5.13 or newer: `ROLECALL_TRANSFORMERS=/path/to/python`, or python3.
const python = process.env.ROLECALL_TRANSFORMERS ?? 'python3'
const isThere = succeeds(python, '-c', 'import transformers.utils.chat_parsing')
const folder = fileURLToPath(new URL('../../../../../../shared/templates-2026/', import.meta.url))

const program = `
import json, sys
from transformers.utils.chat_parsing import ResponseParser, parse_response
given = json.load(sys.stdin)
readings = cuts = 0
wrong = []
for case in given["cases"]:
    template, prompt, reply, expected = case["template"], case["prompt"], case["reply"], case["message"]
    readings += 1
    whole = parse_response(reply, template, prefix=prompt, tools=given["tools"])
    if whole != expected:
        wrong.append([case["name"], reply, whole])
    for chunks in [list(reply)] + [[reply[:at], reply[at:]] for at in range(1, len(reply), 7)]:
        cuts += 1
        parser = ResponseParser(template, prefix=prompt, tools=given["tools"])
        for chunk in chunks:
            parser.feed(chunk)
        message, _ = parser.finalize()
        if message != expected:
            wrong.append([case["name"], chunks, message])
print(json.dumps({"readings": readings, "cuts": cuts, "wrong": wrong[:5]}))
`

test.skipIf(!isThere || !existsSync(folder))(
  'transformers reads replies with written response templates as we do, at every cut',
  () => {
    let proven = 0
    const written = readdirSync(folder)
      .filter((file) => file.endsWith('.jinja'))
      .flatMap((name) => {
        const special_tokens = { bos_token: '<s>', eos_token: '</s>' }
        const { format } = compileChat({ chat_template: readFileSync(`${folder}${name}`, 'utf8'), special_tokens })
        if (!findSyntax(format).proven) return []
        proven++
        const derived = deriveResponseTemplate(format)
        return derived.kind === 'written' ? [{ name, ...derived }] : []
      })
    const cases = written.flatMap(({ name, template, trials }) =>
      trials.map(({ prompt, reply }) => {
        const { message } = parseExactResponse(reply, template, { prefix: prompt, tools: probeTools })
        return { name, template, prompt, reply, message: JSON.parse(stringifyJson(message)) as unknown }
      }),
    )
    expect(written.length / proven).toBeGreaterThan(0.8)
    const input = JSON.stringify({ tools: probeTools, cases })
    const { stdout, stderr } = spawnSync(python, ['-c', program], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: 600_000,
    })
    expect(stdout, stderr).not.toBe('')
    const { readings, cuts, wrong } = JSON.parse(stdout) as { readings: number; cuts: number; wrong: unknown[] }
    expect({ readings, wrong }).toEqual({ readings: cases.length, wrong: [] })
    expect(cuts).toBeGreaterThan(10 * readings)
  },
  600_000,
)
