/** Packages whose name is not that of their module. */
const distributions: ReadonlyMap<string, string> = new Map([
  ['antlr4', 'antlr4-python3-runtime'],
  ['bert_score', 'bert-score'],
  ['math_verify', 'math-verify'],
  ['rouge_score', 'rouge-score'],
  ['sklearn', 'scikit-learn'],
])

/** How to download a package and what it needs as pure-Python wheels, for the Python of the sandbox. */
export function downloadCommand(module: string, folder = 'DIR'): string {
  return `pip download --only-binary=:all: --platform any --python-version 3.14 -d ${folder} ${distributions.get(module) ?? module}`
}
