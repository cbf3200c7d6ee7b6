/** Packages whose name is not that of their module, or that need others. */
const distributions: ReadonlyMap<string, string> = new Map([
  ['antlr4', 'antlr4-python3-runtime'],
  ['bert_score', 'bert-score'],
  // Later versions need compiled code.
  ['jsonschema', "'jsonschema<4.18'"],
  ['math_verify', 'math-verify'],
  ['rouge_score', 'rouge-score'],
  ['sklearn', 'scikit-learn'],
  // Its parse_latex needs this version.
  ['sympy', 'sympy antlr4-python3-runtime==4.11.0'],
])

/** How to download a package and what it needs as pure-Python wheels, for the Python of the sandbox. */
export function downloadCommand(module: string, folder = 'DIR'): string {
  return `pip download --only-binary=:all: --platform any --python-version 3.14 -d ${folder} ${distributions.get(module) ?? module}`
}

const compiled = [
  'clingo',
  'fugashi',
  'kstar_planner',
  'neologdn',
  'numpy',
  'pandas',
  'radgraph',
  'scipy',
  'sklearn',
  'statsmodels',
  'torch',
]

/** Why the Python sandbox cannot run a package: it takes pure Python, and has no network. */
const unavailable: ReadonlyMap<string, string> = new Map([
  ...compiled.map((name) => [name, 'it has, or needs, compiled code'] as const),
  ...['openai', 'requests'].map((name) => [name, 'it sends requests, and functions have no network'] as const),
  ['tinyBenchmarks', 'it needs numpy, and gets its data from the web'],
  ['unitxt', 'it gets datasets and metrics from the web'],
])

/** How Python itself can run a function that needs a package, or why it cannot. */
export function sandboxHint(module: string): string {
  const why = unavailable.get(module)
  if (why !== undefined) return `the Python sandbox cannot run ${module} (${why})`
  return `run it in the Python sandbox: ${downloadCommand(module)}, then --python-packages DIR`
}

/** The first of these packages that the sandbox cannot run. */
export function firstUnavailable(modules: readonly string[]): string | undefined {
  return modules.find((module) => unavailable.has(module))
}
