import { cpus } from 'node:os'
import { benches } from './benches.ts'

/** `npm run bench [-- --json] [-- NAME…]`: every figure of one run; compare ratios first, since machines differ. */
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const wanted = args.filter((arg) => !arg.startsWith('--'))
const chosen = benches.filter(({ names }) => wanted.length === 0 || names.some((name) => wanted.some((one) => name.includes(one))))
const cases: Record<string, object> = {}

if (chosen.length === 0) {
  process.stderr.write(`no bench has such a name; there are: ${benches.flatMap(({ names }) => names).join(', ')}\n`)
  process.exitCode = 2
}

for (const bench of chosen) {
  for await (const { name, measured, line } of bench.figures()) {
    cases[name] = measured
    if (!asJson) process.stdout.write(`${line}\n`)
  }
}

if (asJson) process.stdout.write(`${JSON.stringify({ cases })}\n`)
else {
  const [cpu] = cpus()
  process.stdout.write(`\nNode ${process.version}, ${cpu?.model ?? 'unknown processor'}; one thread, processor time. "floor": writing the same finished strings into the same buffer; "joined": joining a chat's texts first.
"reference": OpenCompass in CPython 3.11, for mlc-10turns MLC's C++ (vicuna) and WebLLM (chatml), on another machine (they cannot run here), so only the
order of magnitude compares.\n`)
}
