/** What `rolecall init` asks. */
export type Answers = {
  kind: 'ts' | 'yaml' | 'json'
  /** The file with the rows; undefined: two sums are written into the config. */
  path?: string
  question: string
  /** The column with the answers, if there is one. */
  answer?: string
  format: string
  /** Where editors find the JSON Schema. */
  schema: string
}

/** A commented config that renders as it is. */
export function writeConfig(answers: Answers): string {
  switch (answers.kind) {
    case 'ts':
      return asTypeScript(answers)
    case 'yaml':
      return asYaml(answers)
    case 'json':
      return `${JSON.stringify({ $schema: answers.schema, ...configOf(answers) }, null, 2)}\n`
    default:
      return answers.kind satisfies never
  }
}

function sums({ question, answer = 'answer' }: Answers): Record<string, string>[] {
  return [
    { [question]: '1+1=?', [answer]: '2' },
    { [question]: '2+2=?', [answer]: '4' },
  ]
}

function configOf(answers: Answers) {
  const { path, question, answer, format } = answers
  return {
    models: [
      { abbr: 'my-model', format },
      { abbr: 'base-model', format: 'plain' },
    ],
    datasets: [
      {
        abbr: 'my-dataset',
        ...(path === undefined ? { rows: sums(answers) } : { path }),
        reader_cfg: { input_columns: [question], ...(answer === undefined ? {} : { output_column: answer }) },
        infer_cfg: {
          prompt_template: {
            template: {
              begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer briefly.' }],
              round: [
                { role: 'HUMAN', prompt: `{${question}}` },
                ...(answer === undefined ? [] : [{ role: 'BOT', prompt: `{${answer}}` }]),
              ],
            },
          },
          retriever: { type: 'ZeroRetriever' },
          inferencer: { type: 'GenInferencer' },
        },
      },
    ],
  }
}

/** A JSON text is YAML and TypeScript, too, whatever characters are in it. */
const quote = JSON.stringify

function asYaml(answers: Answers): string {
  const { path, question, answer, format, schema } = answers
  const rows =
    path === undefined
      ? ['    rows: # or path: data.jsonl', ...sums(answers).map((row) => `      - ${quote(row)}`)]
      : [`    path: ${quote(path)} # .jsonl, .json, .csv or .tsv`]
  const column =
    answer === undefined
      ? []
      : ['      # The answer never shows in a generative prompt; examples show theirs.', `      output_column: ${quote(answer)}`]
  const bot = answer === undefined ? [] : [`            - { role: BOT, prompt: ${quote(`{${answer}}`)} }`]
  return `# yaml-language-server: $schema=${schema}
# See the exact prompts with: rolecall render --show-whitespace

models:
  # A shipped format by name, or meta_template: { begin, round, end, reserved_roles } for your own.
  - abbr: my-model
    format: ${format}
  # A base model gets the turns joined by newlines.
  - abbr: base-model
    format: plain

datasets:
  - abbr: my-dataset
${rows.join('\n')}
    reader_cfg:
      input_columns: [${quote(question)}]
${column.map((line) => `${line}\n`).join('')}    infer_cfg:
      prompt_template:
        template:
          begin:
            # Models without a SYSTEM role get this from HUMAN.
            - { role: SYSTEM, fallback_role: HUMAN, prompt: "Answer briefly." }
          round:
            - { role: HUMAN, prompt: ${quote(`{${question}}`)} }
${bot.map((line) => `${line}\n`).join('')}      retriever: { type: ZeroRetriever }
      inferencer: { type: GenInferencer }
`
}

function asTypeScript(answers: Answers): string {
  const { path, question, answer, format } = answers
  const rows =
    path === undefined ? `rows: ${quote(sums(answers))}, // or path: 'data.jsonl'` : `path: ${quote(path)}, // .jsonl, .json, .csv or .tsv`
  const column = answer === undefined ? '' : `, output_column: ${quote(answer)}`
  const bot = answer === undefined ? '' : `\n              { role: 'BOT', prompt: ${quote(`{${answer}}`)} },`
  return `import { defineConfig } from 'rolecall'

// See the exact prompts with: rolecall render --show-whitespace
export default defineConfig({
  models: [
    // A shipped format by name, or meta_template: { begin, round, end, reserved_roles } for your own.
    { abbr: 'my-model', format: ${quote(format)} },
    // A base model gets the turns joined by newlines.
    { abbr: 'base-model', format: 'plain' },
  ],
  datasets: [
    {
      abbr: 'my-dataset',
      ${rows}
      // The answer never shows in a generative prompt; examples show theirs.
      reader_cfg: { input_columns: [${quote(question)}]${column} },
      infer_cfg: {
        prompt_template: {
          template: {
            // Models without a SYSTEM role get this from HUMAN.
            begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer briefly.' }],
            round: [
              { role: 'HUMAN', prompt: ${quote(`{${question}}`)} },${bot}
            ],
          },
        },
        retriever: { type: 'ZeroRetriever' },
        inferencer: { type: 'GenInferencer' },
      },
    },
  ],
})
`
}
