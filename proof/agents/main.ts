import { fileURLToPath } from 'node:url'
import { type AgentRequest, readAgentRequests, readTemplateFolder, readTemplateLines } from './agent-requests.ts'
import { judgePair, modelOf, type PairVerdict, readRequest, refusalOf } from './judge-pair.ts'

// npm run proof -- agents [--template PART] [--request PART] [--show OUTCOME]: every request of an agent on every chat template.

const shared = (path: string) => fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url))
const option = (name: string) => process.argv[process.argv.indexOf(`--${name}`) + 1]
const wanted = (name: string) => (process.argv.includes(`--${name}`) ? (option(name) ?? '') : '')

const templates = [...readTemplateFolder(shared('templates-2026')), ...readTemplateLines(shared('conformance/chat/jinja_templates.jsonl'))]
const requests = readAgentRequests(shared('agents'))
const shows = wanted('show')
const counts = new Map<string, number>()
const causes = new Map<string, { count: number; first: string }>()
const readable = requests
  .filter(({ file }) => file.includes(wanted('request')))
  .flatMap((request) => {
    try {
      return [{ request, requested: readRequest(request) }]
    } catch (error) {
      note({ ...refusalOf(error), by: 'reader' }, request, 'reader')
      return []
    }
  })
for (const template of templates.filter(({ name }) => name.includes(wanted('template')))) {
  const served = modelOf(template)
  for (const { request, requested } of readable) note(judgePair(request, requested, served), request, template.name)
}

function note({ outcome, by, why }: PairVerdict, { file }: AgentRequest, template: string): void {
  const kind = by === undefined ? outcome : `${outcome} by the ${by}`
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (outcome === 'kept' || (outcome === 'reported' && shows !== 'reported')) return
  const [first = ''] = why
  const cause = `${kind}: ${first.replace(/zq\d{4}/g, 'zq').slice(0, 150)}`
  const known = causes.get(cause)
  if (known) known.count++
  else causes.set(cause, { count: 1, first: `${file} on ${template}` })
  if (shows === outcome || shows === kind) console.log(`${file} on ${template}: ${why.slice(0, 4).join('; ')}`)
}

for (const [kind, count] of counts) console.log(`${kind}: ${count}`)
for (const [cause, { count, first }] of [...causes].sort(([, a], [, b]) => b.count - a.count).slice(0, 40))
  console.log(`${String(count).padStart(6)}  ${cause}   (${first})`)
