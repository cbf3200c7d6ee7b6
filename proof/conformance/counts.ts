import { readFileSync, writeFileSync } from 'node:fs'
import { countOf } from './report.ts'
import type { FileReport, Report } from './run-folder.ts'

/** The counts of a complete run: a vector that moves from "identical" to "by rule" changes them. */
export type Counts = { files: Record<string, FileCounts>; unknown: string[] }
type FileCounts = Omit<FileReport, 'failed'>

const path = new URL('counts.json', import.meta.url)

export function readCounts(): Counts {
  return JSON.parse(readFileSync(path, 'utf8')) as Counts
}

/** Records the counts of a run; if it is of some folders only, the counts of the others stay. */
export function writeCounts(report: Report): void {
  const [pinned, now] = [readCounts(), countsOf(report)]
  const folders = ({ files }: Counts) => new Set(Object.keys(files).map((name) => name.split('/')[0]))
  const isWhole = [...folders(pinned)].every((folder) => folders(now).has(folder))
  const kept = isWhole ? { files: {}, unknown: [] } : pinned
  const files = Object.entries({ ...kept.files, ...now.files }).sort(([one], [other]) => (one < other ? -1 : 1))
  const unknown = [...new Set([...kept.unknown, ...now.unknown])].filter((name) => !Object.hasOwn(now.files, name)).sort()
  writeFileSync(path, `${JSON.stringify({ files: Object.fromEntries(files), unknown }, null, 2)}\n`)
}

export function countsOf({ files, unknown }: Report): Counts {
  const entries = Object.entries(files).map(([name, { failed: _, ...counts }]) => [name, counts] as const)
  return { files: Object.fromEntries(entries), unknown }
}

/** The references, and the files with their vectors. */
const references: readonly { name: string; files: RegExp }[] = [
  { name: 'InternLM2: lmdeploy, lagent, vLLM, the _Chat Format_ document', files: /^chat\/internlm2/ },
  { name: "Jinja2 with transformers' settings, 190 chat templates", files: /^chat\/(?!internlm2)/ },
  { name: 'MLC-LLM, WebLLM', files: /^mlc\// },
  { name: 'OpenCompass and AISBench: prompts', files: /^opencompass\// },
  { name: 'OpenCompass: rows read by its dataset classes', files: /^loaders\// },
  { name: 'OpenCompass: requests to model judges, and scores of their verdicts', files: /^judge\// },
  { name: 'Retrieval, postprocessing, evaluation', files: /^scoring2?\// },
  { name: 'Berkeley Function Calling Leaderboard: verdicts, tools, files', files: /^toolcalls\// },
  { name: 'Replies by model family, and chat templates that they are parsed by', files: /^replies\// },
  { name: 'Response templates: transformers 5.18, whole replies and streams', files: /^response-templates\// },
  { name: 'Messages with parts: vLLM, SGLang, llama.cpp, transformers; 244 templates', files: /^parts\// },
  { name: 'Training masks and next turns: transformers, TRL', files: /^masks\// },
  { name: 'lm-evaluation-harness: tasks, YAML, stop sequences, groups', files: /^lm-eval\// },
]

/** The table of `README.md` or `docs/`. */
export function countsTable({ files, unknown }: Counts): string {
  const named = Object.entries(files).map(([name, counts]) => ({ name, counts }))
  const other = [...new Set(named.flatMap(({ name }) => (references.some(({ files }) => files.test(name)) ? [] : [name.split('/')[0]!])))]
  const groups = [...references, ...other.map((folder) => ({ name: folder, files: new RegExp(`^${folder}/`) }))]
  const rows = groups.flatMap(({ name, files: pattern }) => {
    const chosen = named.filter((file) => pattern.test(file.name)).map(({ counts }) => counts)
    if (chosen.length === 0) return []
    const sum = (count: (counts: FileCounts) => number) => chosen.reduce((all, one) => all + count(one), 0).toLocaleString('en-US')
    const kinds = [
      (one: FileCounts) => one.total,
      (one: FileCounts) => one.identical,
      ...(['rules', 'consistent', 'unsupported'] as const).map((key) => (one: FileCounts) => countOf(one[key])),
    ]
    return [`| ${name} | ${kinds.map(sum).join(' | ')} |`]
  })
  return [
    '| reference | vectors | identical | checked by rule | self-consistent only | not supported |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
    ...(unknown.length === 0 ? [] : ['', `Not recognised by the runner: ${unknown.map((name) => `\`${name}\``).join(', ')}.`]),
  ].join('\n')
}
