import { judgeAll } from './judge-all.ts'
import type { PairVerdict } from './judge-pair.ts'

// npm run proof -- agents [--template PART] [--request PART] [--every N] [--show OUTCOME]: requests of agents on chat templates.

function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

const shown = option('show')
const causes = new Map<string, { count: number; first: string }>()

const { counts, unread, unusable } = judgeAll({
  every: Number(option('every') ?? 1),
  template: option('template') ?? '',
  request: option('request') ?? '',
  onPair: count,
})

function count(file: string, template: string, { outcome, why }: PairVerdict): void {
  if (outcome === 'kept') return
  const [first = ''] = why
  const cause = `${outcome}: ${first.replace(/zq\d{4}/g, 'zq').slice(0, 150)}`
  const counted = causes.get(cause) ?? { count: 0, first: `${file} on ${template}` }
  counted.count++
  causes.set(cause, counted)
  if (shown === outcome) console.log(`${file} on ${template}: ${why.slice(0, 4).join('; ')}`)
}

for (const [cause, { count: pairs, first }] of [...causes].sort(([, a], [, b]) => b.count - a.count).slice(0, 60))
  console.log(`${String(pairs).padStart(6)}  ${cause}   (${first})`)
console.log({ ...counts, 'requests that are not read': unread, 'templates that refuse a lone question': unusable })
if (counts.silent + counts.failed > 0) process.exitCode = 1
