/** Python that decides what a name means in tests that do not define it: something of the answer's, or of Python's. */
export const lookup = `# Modules whose names tests use without importing them.
_helpers = set('bisect cmath collections copy datetime decimal fractions functools heapq itertools math operator re statistics string typing'.split())

def _tested_in(tests):
    # Names that the tests do not define: those that they use, and those of which they only use attributes, as of modules.
    used, bases, own = set(), set(), set()
    for node in _ast.walk(_ast.parse(tests)):
        if isinstance(node, _ast.Attribute) and isinstance(node.value, _ast.Name):
            bases.add(node.value)
        elif isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Load):
            used.add(node)
        elif isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, _ast.Name):
            own.add(node.id)
        elif isinstance(node, _ast.arg):
            own.add(node.arg)
        elif isinstance(node, _ast.alias):
            own.add(node.asname or node.name.split('.')[0])
        elif isinstance(node, _ast.ExceptHandler) and node.name:
            own.add(node.name)
    names = lambda nodes: {node.id for node in nodes} - own
    return names(used - bases), names(bases)

def _lookup_in(round, code, tests):
    defined, imported = set(), {}
    try:
        for node in _ast.parse(code).body:
            if isinstance(node, (_ast.FunctionDef, _ast.AsyncFunctionDef, _ast.ClassDef)):
                defined.add(node.name)
            elif isinstance(node, _ast.Import):
                imported.update({alias.asname or alias.name.split('.')[0]: (alias.name if alias.asname else alias.name.split('.')[0], None) for alias in node.names})
            elif isinstance(node, _ast.ImportFrom) and node.module:
                imported.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass

    hidden = set()
    is_pythons = lambda name: hasattr(_builtins, name) or name in _helpers
    try:
        used, bases = _tested_in(tests)
        # A function may be called sum, and tested as sum(1, 2); but where set(similar(…)) tests similar, set is Python's whatever the answer defines.
        if any(not is_pythons(name) for name in used | bases & defined):
            hidden = {name for name in defined if is_pythons(name)}
            defined = defined - hidden
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass

    def lookup(name):
        if name.startswith('__') or (hasattr(_builtins, name) and name not in defined):
            raise KeyError(name)
        if name in hidden:
            return _importlib.import_module(name)
        module, part = imported.get(name, (None, None))
        # What the answer imports for the tests is Python's, not what the answer makes of it.
        if name not in defined and module in _helpers:
            try:
                return _importlib.import_module(module) if part is None else getattr(_importlib.import_module(module), part)
            except (ImportError, AttributeError):
                pass
        return _Remote(round, ['name', name], False)

    return lookup
`
