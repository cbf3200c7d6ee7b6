import { pyRepr } from '@rolecall/core/internal/python'

/**
 * Python that runs tests whose `assert a == b` also requires equal types: neither True nor 1.0 equals 1, and an answer cannot
 * override `==`.
 */
const typedAsserts = `import ast as _ast

def _same(said, right):
    if type(said) is not type(right):
        return False
    if isinstance(said, (list, tuple)):
        return len(said) == len(right) and all(_same(*pair) for pair in zip(said, right))
    if isinstance(said, (dict, set, frozenset)):
        if len(said) != len(right):
            return False
        left = list(right.items()) if isinstance(said, dict) else list(right)
        for item in said.items() if isinstance(said, dict) else said:
            place = next((at for at, other in enumerate(left) if _same(item, other)), None)
            if place is None:
                return False
            del left[place]
        return True
    try:
        equal = said == right
    except Exception:
        return False
    return type(equal) is bool and equal

class _Typed(_ast.NodeTransformer):
    def visit_Assert(self, node):
        self.generic_visit(node)
        test = node.test
        if isinstance(test, _ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ast.Eq):
            node.test = _ast.Call(_ast.Name('_rolecall_same', _ast.Load()), [test.left, test.comparators[0]], [])
        return node

def _typed(tests):
    try:
        tree = _ast.parse(tests)
    except SyntaxError:
        return tests
    return compile(_ast.fix_missing_locations(_Typed().visit(tree)), '<tests>', 'exec')
`

/** A program that runs code, then tests in the same namespace, where `==` in an assert also requires equal types. */
export function typedProgram(code: string, tests: string): string {
  return `${typedAsserts}
_names = {'__name__': '__main__'}
exec(${pyRepr(code)}, _names)
_names['_rolecall_same'] = _same
exec(_typed(${pyRepr(tests)}), _names)
`
}
