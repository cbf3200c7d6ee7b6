import { lookup } from './lookup.ts'
import { wire } from './wire.ts'

/**
 * Python that runs tests in an interpreter where no answer has run. The functions of the answer are stand-ins: what is called is recorded for
 * the answer's interpreter, and in the next round the results are known. An assertion whose results are unknown is left for that round.
 */
export const checkSide = `${wire}
import ast as _ast, builtins as _builtins, importlib as _importlib, inspect as _inspect, marshal as _marshal, random as _random
import types as _types

class _Unknown(BaseException):
    # The value of a call is needed that was not made yet.
    pass

class _NotHandedOver(BaseException):
    pass

class _Round:
    def __init__(self, operations, results):
        self.known = list(zip([_json.dumps(operation) for operation in operations], results))
        self.operations = []
        self.is_open = False
        self.depth = 0
        self.asserted = 0
        self.unfit = None

    def ask(self, kind, target, *rest, arguments=None):
        operation = [kind, target, *rest]
        place = len(self.operations)
        self.operations.append(operation)
        if self.is_open or place >= len(self.known) or self.known[place][0] != _json.dumps(operation):
            self.is_open = True
            return _Remote(self, ['result', place], True)
        result, after = self.known[place][1]
        # In an assertion a call may not change what it is compared with.
        if arguments is not None and self.depth == 0:
            for place, changed in after:
                _change(arguments[place], _decode(changed, self.remote))
        if isinstance(result, list) and result[0] == 'raised':
            error = _error_of(result[1:-1], str(result[-1]))
            # In all(map(…)) it would end the comparison early: Python's generators raise this error instead.
            raise RuntimeError('the function raised StopIteration') if self.depth > 0 and isinstance(error, StopIteration) else error
        if isinstance(result, list) and result[0] == 'held':
            return _Remote(self, ['result', place], False)
        return _decode(result, self.remote)

    def remote(self, name, rest):
        if name != 'held':
            raise _Unfit(name)
        return _Remote(self, [name, *rest], False)

    def encode(self, value):
        return _encode(value, self.encode_other)

    def encode_other(self, value):
        if type(value) is _Remote:
            return _reference(value)
        if isinstance(value, type) or _inspect.isbuiltin(value):
            if getattr(_builtins, getattr(value, '__name__', ''), None) is value:
                return ['builtin', value.__name__]
        if type(value) is _types.FunctionType:
            cells = [self.encode(cell.cell_contents) for cell in value.__closure__ or ()]
            return ['function', _marshal.dumps(value.__code__).hex(), value.__name__, self.encode(value.__defaults__), self.encode(value.__kwdefaults__), cells]
        self.unfit = type(value).__name__
        raise _NotHandedOver()

def _change(mine, changed):
    # Lists, dicts and sets that a call has changed in place.
    if type(mine) is not type(changed):
        return
    if isinstance(mine, (list, bytearray)):
        mine[:] = changed
    elif isinstance(mine, (dict, set)):
        mine.clear()
        mine.update(changed)

def _error_of(names, text):
    base = next((kind for name in names for kind in [getattr(_builtins, str(name), None)] if isinstance(kind, type) and issubclass(kind, BaseException)), Exception)
    if issubclass(base, KeyboardInterrupt):
        base = Exception
    error = type(str(names[0]), (base,), {'__str__': lambda self: text, '__init__': lambda self: None})
    return error()

class _Remote:
    # A value of the answer's; open: the call that makes it is not made yet.
    __slots__ = ('_round', '_at', '_open')

    def __init__(self, round, at, is_open):
        object.__setattr__(self, '_round', round)
        object.__setattr__(self, '_at', at)
        object.__setattr__(self, '_open', is_open)

    def __call__(self, *arguments, **options):
        round = _round_of(self)
        sent = round.encode(arguments), round.encode(options)
        return round.ask('call', _reference(self), *sent, arguments=arguments)

    def __getattr__(self, name):
        if name.startswith('__') and name.endswith('__'):
            raise AttributeError(name)
        return _round_of(self).ask('attribute', _reference(self), name)

    def __setattr__(self, name, value):
        _round_of(self).ask('set-attribute', _reference(self), name, _round_of(self).encode(value))

    def __getitem__(self, key):
        return _round_of(self, True).ask('item', _reference(self), _round_of(self).encode(key))

    def __setitem__(self, key, value):
        _round_of(self, True).ask('set-item', _reference(self), _round_of(self).encode(key), _round_of(self).encode(value))

    def __iter__(self):
        return iter(_round_of(self, True).ask('items', _reference(self)))

    def __len__(self):
        return _whole(_round_of(self, True).ask('length', _reference(self)))

    def __str__(self):
        return _whole(_round_of(self, True).ask('text', _reference(self)))

    __repr__ = __str__

    def __bool__(self):
        return _whole(_round_of(self, True).ask('truth', _reference(self)))

    def __eq__(self, other):
        _round_of(self, True)
        return type(other) is _Remote and _reference(self) == _reference(other)

    def __hash__(self):
        _round_of(self, True)
        return hash(tuple(_reference(self)))

    @property
    def __class__(self):
        _round_of(self, True)
        return _Remote

def _round_of(remote, needs_value=False):
    if needs_value and object.__getattribute__(remote, '_open'):
        raise _Unknown()
    return object.__getattribute__(remote, '_round')

def _reference(remote):
    return object.__getattribute__(remote, '_at')

def _whole(value):
    if type(value) is _Remote and object.__getattribute__(value, '_open'):
        raise _Unknown()
    return value

def _refusing(self, *_):
    _round_of(self, True)
    return NotImplemented

def _unfit_for_numbers(self, *_):
    _round_of(self, True)
    raise TypeError('what the function returns is not a number')

for _name in 'add sub mul truediv floordiv mod divmod pow lshift rshift and or xor matmul'.split():
    setattr(_Remote, f'__{_name}__', _refusing)
    setattr(_Remote, f'__r{_name}__', _refusing)
for _name in 'lt le gt ge'.split():
    setattr(_Remote, f'__{_name}__', _refusing)
for _name in 'neg pos abs invert int float complex index round trunc floor ceil'.split():
    setattr(_Remote, f'__{_name}__', _unfit_for_numbers)

def _same(said, right):
    # Neither True nor 1.0 is 1.
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
    return said == right

class _Checks(_ast.NodeTransformer):
    def __init__(self, is_typed):
        self.is_typed = is_typed
        self.count = 0

    def visit_Assert(self, node):
        self.generic_visit(node)
        self.count += 1
        test = node.test
        if self.is_typed and isinstance(test, _ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _ast.Eq):
            node.test = _ast.Call(_ast.Name('_rolecall_same', _ast.Load()), [test.left, test.comparators[0]], [])
        context = _ast.Call(_ast.Name('_rolecall_assertion', _ast.Load()), [], [])
        return _ast.With([_ast.withitem(context)], [node])

class _Assertion:
    # An assertion that cannot be decided in this round is not one that fails.
    def __init__(self, round):
        self.round = round

    def __enter__(self):
        self.round.depth += 1
        self.round.asserted += 1

    def __exit__(self, kind, error, trace):
        self.round.depth -= 1
        return self.round.is_open and error is not None and not isinstance(error, (KeyboardInterrupt, _NotHandedOver))

class _Names(dict):
    # The names of the tests; those that they do not define are the answer's.
    def __missing__(self, name):
        return self['_rolecall_lookup'](name)

${lookup}
def _check_together(code, tests, is_typed):
    # In one interpreter, for arguments that only exist there. What is used afterwards is bound before the answer runs.
    run, names = exec, {'__name__': '__main__'}
    compiled = compile(_ast.fix_missing_locations(_Checks(is_typed).visit(_ast.parse(tests))), '<tests>', 'exec')
    helpers = {'_rolecall_same': _same, '_rolecall_assertion': lambda: _Assertion(round), '_answer': names.__getitem__}
    round = _Round([], [])
    run(code, names)
    names.update(helpers)
    run(compiled, names)

def _check(code, before, tests, is_typed, leaves, operations, results):
    round = _Round(operations, [] if results is None else _unpack(results))
    names = _Names({'__name__': '__main__', '_rolecall_same': _same, '_rolecall_lookup': _lookup_in(round, code, tests)})
    names['_rolecall_assertion'] = lambda: _Assertion(round)
    names['_pending'] = lambda: round.is_open
    names['_answer'] = lambda name: _Remote(round, ['name', name], False)
    # Tests that draw numbers draw the same ones in every round.
    _random.seed(20)
    outcome = 'passed'
    checks = _Checks(is_typed)
    try:
        for prepared in before:
            try:
                exec(prepared, names)
                break
            except (SyntaxError, NameError):
                pass
        exec(compile(_ast.fix_missing_locations(checks.visit(_ast.parse(tests))), '<tests>', 'exec'), names, names)
        if not round.operations:
            # Also code that no test calls must load.
            round.ask('load', None)
        if leaves is not None and not round.is_open:
            outcome = 'left: ' + names[leaves]
        elif checks.count > 0 and round.asserted == 0:
            outcome = 'failed: none of the assertions of the tests was executed'
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = str(error)
        outcome = 'failed: ' + type(error).__name__ + (': ' + text if text else '')
    if round.unfit is not None:
        return 'not handed over: ' + round.unfit
    return 'asks: ' + _pack(round.operations) if round.is_open else 'said: ' + outcome
`
