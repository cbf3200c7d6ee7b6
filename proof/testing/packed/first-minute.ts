import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleOf } from '../sampling.ts'
import type { Outcome } from './smoke.ts'

/** A row for each kind of user file. */
const kinds = {
  messages: {
    messages: [
      { role: 'user', content: '12+30=?' },
      { role: 'assistant', content: '42' },
    ],
  },
  sharegpt: {
    conversations: [
      { from: 'human', value: '12+30=?' },
      { from: 'gpt', value: '42' },
    ],
  },
  alpaca: { instruction: 'Add.', input: '12+30', output: '42' },
  // Answer 0 can only count from 0; where that is unclear, `init` asks for --answer-is.
  choices: { question: '12+30=?', choices: ['42', '41'], answer: 0 },
  context: { context: 'It is 42.', question: 'What is it?', answer: '42' },
  squad: { context: 'It is 42.', question: 'What is it?', answers: { text: ['42'], answer_start: [6] } },
  question: { question: '12+30=?', answer: '42' },
}

/** A user's first minute with a file: `init`, `run`, a score. Each kind has a separate folder next to the installed package; `count` of them are tried. */
export function firstMinutes(folder: string, count = Object.keys(kinds).length): Outcome[] {
  const program = join(folder, 'node_modules/rolecall/bin/rolecall.mjs')
  const rolecall = (here: string, ...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { cwd: here, encoding: 'utf8', timeout: 120_000 })
  return sampleOf(Object.entries(kinds), count).map(([kind, row]) => {
    const name = `first minute: rows of ${kind}`
    const here = join(folder, kind)
    mkdirSync(here)
    writeFileSync(join(here, 'rows.jsonl'), `${JSON.stringify(row)}\n`)
    const init = rolecall(here, 'init', '--yes', '--data', 'rows.jsonl')
    if (init.status !== 0) return { name, problem: init.stderr.slice(0, 400) }
    const run = rolecall(here, 'run', '--no-cache', '--json')
    const { results = [] } = run.stdout.startsWith('{') ? (JSON.parse(run.stdout) as { results?: { value?: number }[] }) : {}
    const isScored = run.status === 0 && results.length === 1 && typeof results[0]!.value === 'number'
    return isScored ? { name } : { name, problem: `exit code ${run.status}: ${(run.stderr + run.stdout).slice(0, 400)}` }
  })
}
