import { pyRepr } from '@rolecall/core/internal/python'
import { answerSide } from './answer-side.ts'
import { checkSide } from './check-side.ts'

const sides = { check: checkSide, answer: answerSide }

/** What the sides import and Python's own snapshot does not. */
const imports = 'base64, importlib, marshal, zlib'

/**
 * Python that compiles both sides once, for a snapshot of an interpreter that has run nothing: every row starts interpreters from it, and
 * compiling the sides would take most of their time.
 */
export const preparedCode = `
def _prepare():
    import ${imports}
    import sys, types
    prepared = types.ModuleType('_rolecall_prepared')
${Object.entries(sides)
  .map(([name, code]) => `    prepared.${name} = compile(${pyRepr(code)}, '<rolecall>', 'exec')\n`)
  .join('')}    sys.modules[prepared.__name__] = prepared

_prepare()
del _prepare
`

/** Python that defines what a side defines, compiled before if the interpreter is started from such a snapshot. */
export function definesSide(name: keyof typeof sides): string {
  return `import sys as _sys
_prepared = _sys.modules.get('_rolecall_prepared')
exec(_prepared.${name} if _prepared else ${pyRepr(sides[name])})
`
}
