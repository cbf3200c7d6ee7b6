import { cpus } from 'node:os'
import { hasVocabularies, installsOnDemand } from '../testing/on-demand.ts'
import { benches } from './benches.ts'
import { isSmoke } from './sizes.ts'

const args = process.argv.slice(2)
const asJson = args.includes('--json')
const wanted = args.filter((arg) => !arg.startsWith('-'))
/** A case of exactly this name, else all whose name contains it. */
const matching = (wanted: string) => {
  const exact = benches.filter(({ names }) => names.includes(wanted))
  return exact.length > 0 ? exact : benches.filter(({ names }) => names.some((name) => name.includes(wanted)))
}
const found = new Set(wanted.flatMap(matching))
const chosen = wanted.length === 0 ? benches : benches.filter((bench) => found.has(bench))
const names = benches.flatMap((bench) => bench.names)
const cases: Record<string, object> = {}

const help = `npm run bench [-- --json] [-- --smoke] [-- NAME…]
Measures the case called NAME, or those whose name contains it, or all. Machines differ, so compare ratios first.
  --json   prints the measurements as JSON
  --smoke  runs each case at its smallest size, to see that it works
Cases: ${names.join(', ')}
`

if (args.includes('--help') || args.includes('-h')) process.stdout.write(help)
else if (chosen.length === 0) {
  process.stderr.write(`no case matches ${wanted.join(', ')}; the cases are: ${names.join(', ')}\n`)
  process.exitCode = 2
} else await runBenches()

async function runBenches(): Promise<void> {
  for (const bench of chosen) {
    if (bench.needsVocabularies && !hasVocabularies) {
      const how = `${installsOnDemand} --vocabularies, ROLECALL_PEERS=.cache/peers`
      if (!asJson) process.stdout.write(`${bench.names[0]!.padEnd(30)}left out: published vocabularies are needed (${how})\n`)
      continue
    }
    for await (const { name, measured, line } of bench.figures()) {
      cases[name] = measured
      if (!asJson) process.stdout.write(`${line}\n`)
    }
  }
  if (asJson) process.stdout.write(`${JSON.stringify({ cases })}\n`)
  else if (!isSmoke) process.stdout.write(legend())
}

function legend(): string {
  const [cpu] = cpus()
  return `
Node ${process.version}, ${cpu?.model ?? 'unknown processor'}; one thread, processor time. "floor": writing the same finished strings into the same buffer;
"joined": joining the texts of a chat first. "reference": OpenCompass in CPython 3.11, or for mlc-10turns MLC's C++ (vicuna) and WebLLM (chatml), measured
on another machine because they cannot run here: compare only the order of magnitude.
`
}
