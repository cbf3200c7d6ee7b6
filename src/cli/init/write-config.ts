/** What `rolecall init` asks. */
export type Answers = {
  kind: 'ts' | 'yaml' | 'json'
  /** The file with the rows; undefined: two sums are written into the config. */
  path?: string
  question: string
  answer: string
  format: string
}

/** A commented config that renders as it is. */
export function writeConfig(answers: Answers): string {
  switch (answers.kind) {
    case 'ts':
      return asTypeScript(answers)
    case 'yaml':
      return asYaml(answers)
    case 'json':
      return `${JSON.stringify({ $schema: './node_modules/rolecall/schema/rolecall.schema.json', ...configOf(answers) }, null, 2)}\n`
    default:
      return answers.kind satisfies never
  }
}

function configOf({ path, question, answer, format }: Answers) {
  return {
    models: [
      { abbr: 'my-model', format },
      { abbr: 'base-model', format: 'plain' },
    ],
    datasets: [
      {
        abbr: 'my-dataset',
        ...(path === undefined
          ? {
              rows: [
                { [question]: '1+1=?', [answer]: '2' },
                { [question]: '2+2=?', [answer]: '4' },
              ],
            }
          : { path }),
        reader_cfg: { input_columns: [question], output_column: answer },
        infer_cfg: {
          prompt_template: {
            template: {
              begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer briefly.' }],
              round: [
                { role: 'HUMAN', prompt: `{${question}}` },
                { role: 'BOT', prompt: `{${answer}}` },
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

function asYaml(answers: Answers): string {
  const { path, question, answer, format } = answers
  const q = (text: string) => JSON.stringify(text)
  const rows =
    path === undefined
      ? [
          `    rows: # or path: data.jsonl`,
          `      - { ${q(question)}: "1+1=?", ${q(answer)}: "2" }`,
          `      - { ${q(question)}: "2+2=?", ${q(answer)}: "4" }`,
        ]
      : [`    path: ${q(path)} # .jsonl or .json`]
  return `# yaml-language-server: $schema=./node_modules/rolecall/schema/rolecall.schema.json
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
      input_columns: [${q(question)}]
      # The answer never shows in a generative prompt; examples show theirs.
      output_column: ${q(answer)}
    infer_cfg:
      prompt_template:
        template:
          begin:
            # Models without a SYSTEM role get this from HUMAN.
            - { role: SYSTEM, fallback_role: HUMAN, prompt: "Answer briefly." }
          round:
            - { role: HUMAN, prompt: ${q(`{${question}}`)} }
            - { role: BOT, prompt: ${q(`{${answer}}`)} }
      retriever: { type: ZeroRetriever }
      inferencer: { type: GenInferencer }
`
}

function asTypeScript(answers: Answers): string {
  const { path, question, answer, format } = answers
  const q = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const key = (text: string) => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : q(text))
  const rows =
    path === undefined
      ? `rows: [{ ${key(question)}: '1+1=?', ${key(answer)}: '2' }, { ${key(question)}: '2+2=?', ${key(answer)}: '4' }], // or path: 'data.jsonl'`
      : `path: ${q(path)}, // .jsonl or .json`
  return `import { defineConfig } from 'rolecall'

// See the exact prompts with: rolecall render --show-whitespace
export default defineConfig({
  models: [
    // A shipped format by name, or meta_template: { begin, round, end, reserved_roles } for your own.
    { abbr: 'my-model', format: ${q(format)} },
    // A base model gets the turns joined by newlines.
    { abbr: 'base-model', format: 'plain' },
  ],
  datasets: [
    {
      abbr: 'my-dataset',
      ${rows}
      // The answer never shows in a generative prompt; examples show theirs.
      reader_cfg: { input_columns: [${q(question)}], output_column: ${q(answer)} },
      infer_cfg: {
        prompt_template: {
          template: {
            // Models without a SYSTEM role get this from HUMAN.
            begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Answer briefly.' }],
            round: [
              { role: 'HUMAN', prompt: ${q(`{${question}}`)} },
              { role: 'BOT', prompt: ${q(`{${answer}}`)} },
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
