import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

const main = fileURLToPath(new URL('../../../packages/rolecall/dist/js/cli/main.js', import.meta.url))
const rows = 200

/** Kills a run at random moments and resumes it: at the end every row is recorded once, and no recorded row was sent again. */
export const kills: Attack = {
  name: 'kill -9',
  holds: 'a run that goes on has every row once, whenever it was killed',
  async run({ chance, goesOn, tried, gotThrough }) {
    const answer = {
      json: { choices: [{ message: { content: '7' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
    }
    const server = await scriptedServer(() => (response) => {
      setTimeout(() => response.end(JSON.stringify(answer.json)), 5)
    })
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-kills-'))
    try {
      writeFileSync(join(folder, 'rows.jsonl'), Array.from({ length: rows }, (_, id) => `{"q": "${id}", "a": "7"}\n`).join(''))
      writeFileSync(join(folder, 'rolecall.config.json'), JSON.stringify(configFor(server.url)))
      while (goesOn()) {
        const work = join(folder, `work-${chance.number(2 ** 30)}`)
        mkdirSync(work)
        const moments = Array.from({ length: 1 + chance.number(2) }, () => 400 + chance.number(1500))
        for (const moment of moments) await start(['run', '-r', '-w', work, '--no-cache'], folder, moment)
        const { code, stderr } = await start(['run', '-r', '-w', work, '--no-cache'], folder)
        tried()
        const ids = recordedIds(work)
        const whole = ids.length === rows && ids.every((id, index) => id === index)
        if (code !== 0 || !whole)
          gotThrough(`killed after ${moments.join(', ')} ms: exit ${code}, ${ids.length} lines for ${rows} rows. ${stderr.slice(-300)}`)
        rmSync(work, { recursive: true, force: true })
      }
    } finally {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function configFor(url: string): object {
  return {
    models: [{ abbr: 'm', type: 'openai', path: 'm', base_url: url, max_out_len: 4 }],
    datasets: [
      {
        abbr: 'd',
        path: 'rows.jsonl',
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } }, inferencer: { type: 'GenInferencer' } },
        eval_cfg: { evaluator: { type: 'AccEvaluator' } },
      },
    ],
  }
}

/** Runs the command line, and kills it after some milliseconds if requested. */
function start(args: readonly string[], cwd: string, killAfter?: number): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stderr })
    })
  })
}

/** The ids of all records below a folder, in file order. */
function recordedIds(work: string): number[] {
  const files = existsSync(work) ? readdirSync(work, { recursive: true }).map(String) : []
  const predictions = files.filter((file) => /predictions[\\/].*\.jsonl$/.test(file))
  return predictions.flatMap((file) => {
    const lines = readFileSync(join(work, file), 'utf8').trim().split('\n')
    return lines.filter((line) => line !== '').map((line) => (JSON.parse(line) as { id: number }).id)
  })
}
