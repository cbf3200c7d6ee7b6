import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { labModels } from './src/lab/models/catalog.ts'

// `node scripts/ts.mjs packages/viewer/make-lab-models.ts FOLDER`: writes the chat templates of the lab's models from a folder that has
// `templates-2026/*.jinja` and `conformance/chat/jinja_templates.jsonl`. Its output is committed: who builds the lab needs no such folder.
const [folder = '../shared'] = process.argv.slice(2)
const target = fileURLToPath(new URL('public/lab/models/', import.meta.url))

const lines = readFileSync(join(folder, 'conformance/chat/jinja_templates.jsonl'), 'utf8').trim().split('\n')
const collected = new Map(
  lines.map((line) => JSON.parse(line) as { id: string; template: string }).map(({ id, template }) => [id, template]),
)

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
let bytes = 0
for (const { id, source } of labModels) {
  if (source === undefined) continue
  const template = source.endsWith('.jinja') ? readFileSync(join(folder, 'templates-2026', source), 'utf8') : collected.get(source)
  if (template === undefined) throw new Error(`${id}: no template ${source} in ${folder}`)
  writeFileSync(join(target, `${id}.jinja`), template)
  bytes += template.length
}
process.stdout.write(`${labModels.length} models, ${Math.round(bytes / 1000)} kB of templates in ${target}\n`)
