import { wire } from './wire.ts'

/**
 * Python beside the answer: carries out the operations that the tests ask for, and hands out the results as plain data. Nothing here need be
 * trusted, because there is nothing to learn: the answer gets arguments, and never what is expected of it.
 */
export const answerSide = `${wire}
import itertools as _itertools, marshal as _marshal, types as _types

def _carry_out(load, names, operations):
    failure = None
    try:
        load(names)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failure = error
    values, held, results = [], [], []

    def hold(value):
        held.append(value)
        return ['held', len(held) - 1]

    def refer(name, rest):
        if name == 'result':
            return values[rest[0]]
        if name == 'held':
            return held[rest[0]]
        if name == 'name':
            if rest[0] in names:
                return names[rest[0]]
            raise NameError(f'name {rest[0]!r} is not defined')
        if name == 'builtin':
            return getattr(__builtins__, rest[0]) if not isinstance(__builtins__, dict) else __builtins__[rest[0]]
        if name == 'function':
            code, title, defaults, only, cells = rest
            made = _types.FunctionType(_marshal.loads(bytes.fromhex(code)), names, title, _decode(defaults, refer), tuple(_types.CellType(_decode(cell, refer)) for cell in cells))
            made.__kwdefaults__ = _decode(only, refer)
            return made
        raise _Unfit(name)

    def unfit(value):
        raise _Unfit()

    def state(argument):
        # Of what can be changed in place, and is plain data.
        try:
            return _encode(argument, unfit) if type(argument) in (list, dict, set, bytearray) else None
        except Exception:
            return None

    def perform(kind, target, *rest):
        if kind == 'load':
            return None, []
        if kind == 'call':
            arguments, options = _decode(rest[0], refer), _decode(rest[1], refer)
            before = [state(argument) for argument in arguments]
            value = target(*arguments, **options)
            after = [[place, state(argument)] for place, argument in enumerate(arguments) if state(argument) != before[place]]
            return value, after
        if kind == 'attribute':
            return getattr(target, rest[0]), []
        if kind == 'item':
            return target[_decode(rest[0], refer)], []
        if kind == 'set-attribute':
            return setattr(target, rest[0], _decode(rest[1], refer)), []
        if kind == 'set-item':
            target[_decode(rest[0], refer)] = _decode(rest[1], refer)
            return None, []
        if kind == 'items':
            return list(_itertools.islice(iter(target), 1_000_000)), []
        return {'length': len, 'text': str, 'truth': bool}[kind](target), []

    for kind, target, *rest in operations:
        value = None
        try:
            if failure is not None:
                raise failure
            value, after = perform(kind, _decode(target, refer), *rest)
            results.append([_encode(value, hold), after])
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            try:
                text = str(error)
            except BaseException:
                text = ''
            results.append([['raised', *[kind.__name__ for kind in type(error).__mro__], text], []])
        values.append(value)
    return _pack(results)
`
