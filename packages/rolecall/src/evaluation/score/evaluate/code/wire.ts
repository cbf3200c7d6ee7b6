/**
 * Python of both sides of a check: values as JSON that keeps their exact types, compressed. What is no plain data stays where it is, and is
 * referred to.
 */
export const wire = `import base64 as _base64, collections as _collections, datetime as _datetime, decimal as _decimal
import fractions as _fractions, json as _json, zlib as _zlib

class _Unfit(Exception):
    pass

_most_depth = 150
_most_bytes = 1 << 27
_in_order = {'list': list, 'tuple': tuple, 'deque': _collections.deque}
_unordered = {'set': set, 'frozenset': frozenset}
_mappings = {'dict': dict, 'OrderedDict': _collections.OrderedDict, 'Counter': _collections.Counter, 'defaultdict': _collections.defaultdict}
_views = {'dict_keys': type({}.keys()), 'dict_values': type({}.values()), 'dict_items': type({}.items())}
_moments = {'date': _datetime.date, 'time': _datetime.time, 'datetime': _datetime.datetime}
_exact = (int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict)
_plain_of = {int: int.__pos__, float: float.__pos__, str: str.__str__, complex: lambda value: complex.__add__(value, 0)}

def _encode(value, other, depth=0):
    kind = type(value)
    if value is None or kind is bool or kind is str or kind is float:
        return value
    if kind is int:
        return value if -2 ** 53 < value < 2 ** 53 else ['int', hex(value)]
    if depth > _most_depth:
        return other(value)
    inner = lambda item: _encode(item, other, depth + 1)
    name = kind.__name__
    if _in_order.get(name) is kind or _views.get(name) is kind:
        return [name, *[inner(item) for item in value]]
    if _unordered.get(name) is kind:
        return [name, *sorted([inner(item) for item in value], key=_json.dumps)]
    if _mappings.get(name) is kind:
        return [name, *[[inner(key), inner(item)] for key, item in dict.items(value)]]
    if kind is complex:
        return [name, value.real, value.imag]
    if kind is bytes or kind is bytearray:
        return [name, value.hex()]
    if kind is range:
        return [name, inner(value.start), inner(value.stop), inner(value.step)]
    if kind is _decimal.Decimal:
        return [name, str(value)]
    if kind is _fractions.Fraction:
        return [name, inner(value.numerator), inner(value.denominator)]
    if _moments.get(name) is kind:
        return [name, value.isoformat()]
    if kind is _datetime.timedelta:
        return [name, value.days, value.seconds, value.microseconds]
    if value is Ellipsis:
        return ['ellipsis']
    base = next((base for base in _exact if issubclass(kind, base)), None)
    if base is None:
        return other(value)
    # A subclass may compare as it likes: what it holds does not.
    if base is dict:
        return ['like', ['dict', *[[inner(key), inner(item)] for key, item in dict.items(value)]]]
    return ['like', inner(_plain_of[base](value) if base in _plain_of else base(base.__iter__(value)))]

class _Like:
    pass

_likes = {}

def _like(value):
    base = type(value)
    if base not in _exact:
        raise _Unfit('not a subclass')
    if base not in _likes:
        _likes[base] = type('_Like', (base,), {})
    return _likes[base](value)

def _decode(data, other):
    if not isinstance(data, (list, dict)):
        return data
    name, *rest = data
    inner = lambda item: _decode(item, other)
    if name == 'int':
        return int(rest[0], 16)
    if name in _in_order:
        return _in_order[name](inner(item) for item in rest)
    if name in _unordered:
        return _unordered[name](inner(item) for item in rest)
    if name in _mappings:
        made = _mappings[name]()
        for key, item in rest:
            made[inner(key)] = inner(item)
        return made
    if name in _views:
        items = [inner(item) for item in rest]
        if name == 'dict_keys':
            return dict.fromkeys(items).keys()
        return dict(enumerate(items)).values() if name == 'dict_values' else dict(items).items()
    if name == 'complex':
        return complex(*rest)
    if name == 'bytes' or name == 'bytearray':
        return (bytes if name == 'bytes' else bytearray).fromhex(rest[0])
    if name == 'range':
        return range(*[inner(item) for item in rest])
    if name == 'Decimal':
        return _decimal.Decimal(rest[0])
    if name == 'Fraction':
        return _fractions.Fraction(inner(rest[0]), inner(rest[1]))
    if name in _moments:
        return _moments[name].fromisoformat(rest[0])
    if name == 'timedelta':
        return _datetime.timedelta(*rest)
    if name == 'ellipsis':
        return ...
    if name == 'like':
        return _like(inner(rest[0]))
    return other(name, rest)

def _pack(data):
    return _base64.b64encode(_zlib.compress(_json.dumps(data).encode(), 1)).decode()

def _unpack(text):
    unpacker = _zlib.decompressobj()
    data = unpacker.decompress(_base64.b64decode(text), _most_bytes)
    if unpacker.unconsumed_tail:
        raise _Unfit('too large')
    return _json.loads(data)
`
