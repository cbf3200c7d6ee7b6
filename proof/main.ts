/** Programs that prove something about the product, and take longer or need more than tests do. */
const programs: Readonly<Record<string, { does: string; file: string }>> = {
  agents: { does: 'requests of agents on every chat template: each text once and in order, or reported', file: './agents/main.ts' },
  assemble: { does: 'writes the inner loop of the embedded model from its WebAssembly', file: '../scripts/assemble-products.ts' },
  chaos: { does: 'kills and faults of runs on a queue', file: './testing/chaos/main.ts' },
  'check-package': { does: 'packs, installs and uses the packages in an empty folder', file: './testing/packed/main.ts' },
  claims: {
    does: 'prepares every config of a checkout and compares what `import --report` says with what `run` does',
    file: './testing/claims/main.ts',
  },
  documents: { does: "the documents' snippets on every surface: a table of what holds", file: './cases/documents/main.ts' },
  'gold-sweep': {
    does: 'lets the gold answers of every preset, config and task take their own test',
    file: './testing/gold-sweep/main.ts',
  },
  mutate: { does: 'mutation testing: lists the mutants that no test catches', file: './testing/mutation/main.ts' },
  pictures: { does: 'draws the pictures in docs/', file: '../docs/picture.ts' },
  'presets-matrix': { does: 'right answers in messy wordings through every preset', file: './testing/presets-matrix/main.ts' },
  'published-outputs': { does: 'our verdicts beside those published with model outputs', file: './testing/published-outputs/main.ts' },
  'python-vectors': {
    does: "runs a checkout's own postprocessors, evaluators and loaders in the interpreter over the vectors, by name",
    file: './testing/python-vectors/main.ts',
  },
  'schema-suite': { does: 'JSON-Schema-Test-Suite through constrained decoding', file: './testing/json-schema-suite/main.ts' },
  site: { does: 'builds the website into .site', file: '../packages/site/build.ts' },
  'why-truth': { does: 'what `why` says about results whose cause is known', file: './testing/why/main.ts' },
}

const [, , name = '', ...args] = process.argv
const program = Object.hasOwn(programs, name) ? programs[name] : undefined
if (program === undefined) {
  const width = Math.max(...Object.keys(programs).map(({ length }) => length)) + 2
  const lines = Object.entries(programs).map(([program, { does }]) => `  ${program.padEnd(width)}${does}`)
  console.error(`npm run proof -- NAME [arguments]\n\n${lines.join('\n')}`)
  process.exitCode = name === '' || name === '--help' ? 0 : 2
} else {
  const file = new URL(program.file, import.meta.url)
  // Programs read their own arguments.
  process.argv = [process.argv[0]!, file.pathname, ...args]
  await import(file.href)
}
