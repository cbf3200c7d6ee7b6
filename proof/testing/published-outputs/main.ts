import { parseArgs } from 'node:util'
import { PromptError } from '../../../packages/core/src/base/errors/prompt-error.ts'
import type { PostprocessorConfig } from '../../../packages/rolecall/src/evaluation/score/postprocess/postprocessor.ts'
import { type ComparedVerdict, type Comparison, compareColumns, comparisons, countVerdicts, type FileForm } from './compare-verdicts.ts'

const help = `npm run proof -- published-outputs [--mmlu-pro FILE]… [--gsm8k FILE]… [--ifeval FILE --input FILE] [--file FILE … ] [--show N] [--json]

Compares our verdicts on published model outputs with the benchmark's own, and prints the counts. Files are given by path, as
published and unpacked; nothing is stored.

  --mmlu-pro FILE  eval_results/model_outputs_*.json of TIGER-AI-Lab/MMLU-Pro
  --gsm8k FILE     grade_school_math/data/example_model_solutions.jsonl of openai/grade-school-math
  --ifeval FILE    eval_results_strict.jsonl, as IFEval's own script writes it; --input is its input_data.jsonl
  --file FILE      a file of another benchmark, a JSON list or JSON lines, with
    --reply COLUMN, --gold COLUMN, --verdict COLUMN (true, false, 1 or 0); nested ones with dots: sample.output
    --evaluator TYPE (AccEvaluator), --read JSON, the postprocessor: '{"type": "choice_answer", "options": "ABCD"}'
  --show N         N replies with different verdicts (0)
  --json           for programs

The exit code is 2 for a file that cannot be read, else 0: a difference is not necessarily our mistake.`

const { values } = parseArgs({
  options: {
    'mmlu-pro': { type: 'string', multiple: true },
    gsm8k: { type: 'string', multiple: true },
    ifeval: { type: 'string', multiple: true },
    input: { type: 'string', multiple: true },
    file: { type: 'string', multiple: true },
    reply: { type: 'string', default: 'reply' },
    gold: { type: 'string', default: 'gold' },
    verdict: { type: 'string', default: 'correct' },
    evaluator: { type: 'string', default: 'AccEvaluator' },
    read: { type: 'string' },
    show: { type: 'string', default: '0' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const all: Readonly<Record<string, Comparison>> = { ...comparisons, file: (path) => compareColumns(path, formOf()) }
const files = Object.keys(all).flatMap((name) => ((values[name as keyof typeof values] ?? []) as string[]).map((path) => ({ name, path })))
if (values.help || files.length === 0) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}
const shown = Number(values.show)
try {
  for (const { name, path } of files) {
    const compared = all[name]!(path, values.input ?? [])
    const counts = countVerdicts(compared)
    if (values.json) {
      console.log(JSON.stringify({ benchmark: name, path, ...counts }))
      continue
    }
    const { verdicts, same, onlyOurs, onlyTheirs, notFound, cut, cutAnswered } = counts
    console.log(`${name}: ${path}`)
    console.log(`  ${verdicts} verdicts, ${verdicts - same} differ: right only for us ${onlyOurs}, only for the benchmark ${onlyTheirs}`)
    console.log(`  ${notFound} replies without an answer; ${cut} cut, ${cutAnswered} of these with an announced answer`)
    for (const one of compared.filter(({ ours, theirs }) => ours !== theirs).slice(0, shown)) console.log(`  ${lineOf(one)}`)
  }
} catch (error) {
  if (!(error instanceof PromptError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  console.error((error as Error).message)
  process.exit(2)
}

function formOf(): FileForm {
  const { reply, gold, verdict, evaluator, read } = values
  try {
    return { reply, gold, verdict, evaluator, ...(read === undefined ? {} : { read: JSON.parse(read) as PostprocessorConfig }) }
  } catch {
    throw new PromptError('usage', {
      where: '--read',
      problem: `"${read}" is not JSON`,
      fix: 'write {"type": "choice_answer", "options": "ABCD"}',
    })
  }
}

function lineOf({ said, gold, ours, isFound }: ComparedVerdict): string {
  return `${ours ? 'only ours' : 'only theirs'}, gold ${gold}${isFound ? '' : ', no answer read'}: ${JSON.stringify(said.slice(-200))}`
}
