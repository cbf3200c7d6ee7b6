import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type GoldOutcome, type GoldResult, sweepConfigs, sweepPresets, sweepTasks } from './gold-sweep.ts'

const help = `npm run proof -- gold-sweep [--vectors DIR] [--opencompass DIR] [--lm-eval DIR] [--json]

Lets gold answers take their own test, as \`run\` does before its first request: those of every preset, of OpenCompass's dataset
configs and of the harness's tasks, as far as there are rows. Prints the counts and every dataset with wrong ones.

  --vectors DIR      golden vectors (../shared/conformance): their rows are the data of configs and tasks
  --opencompass DIR  a checkout of OpenCompass; needs --vectors
  --lm-eval DIR      a checkout of lm-evaluation-harness; needs --vectors
  --json             for programs

The exit code is 1 if a gold answer of a preset is wrong: rows of vectors are made up, and some have no right answer.`

const { values } = parseArgs({
  options: {
    vectors: { type: 'string' },
    opencompass: { type: 'string' },
    'lm-eval': { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const { vectors, opencompass, 'lm-eval': lmEval } = values
if (values.help || (vectors === undefined && (opencompass ?? lmEval) !== undefined)) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}
const outcomes: readonly GoldOutcome[] = ['right', 'some wrong', 'all wrong', 'not tested', 'cannot run', 'no rows']
const presets = await report('presets', sweepPresets())
const folder = vectors === undefined ? '' : resolve(vectors)
if (opencompass !== undefined) await report('OpenCompass', sweepConfigs(resolve(opencompass), `${folder}/loaders/loaders.jsonl`))
if (lmEval !== undefined) await report('lm-evaluation-harness', sweepTasks(resolve(lmEval), `${folder}/lm-eval/tasks.jsonl`))
process.exitCode = presets.some(({ outcome }) => outcome === 'some wrong' || outcome === 'all wrong') ? 1 : 0

async function report(title: string, sweep: AsyncGenerator<GoldResult>): Promise<GoldResult[]> {
  const results: GoldResult[] = []
  for await (const result of sweep) results.push(result)
  if (values.json) {
    for (const result of results) console.log(JSON.stringify({ of: title, ...result }))
    return results
  }
  const counts = outcomes.map((outcome) => `${results.filter((one) => one.outcome === outcome).length} ${outcome}`)
  console.log(`${title}: ${results.length} datasets: ${counts.join(', ')}`)
  for (const { name, outcome, why } of results)
    if (outcome === 'some wrong' || outcome === 'all wrong') console.log(`  ${outcome}: ${name}: ${why}`)
  return results
}
