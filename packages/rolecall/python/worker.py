"""Runs a user's own classes and functions in the user's own Python, for `rolecall --with-python`.

Started as `python worker.py PATHS CHECKOUT`: PATHS are folders to import from, as JSON, and CHECKOUT is a checkout of OpenCompass or ''.
Requests come as JSON lines on file descriptor 3 and replies leave on 4, so nothing that user code prints can be taken for a reply.
Descriptor 0 is open for as long as Rolecall runs: at its end every process that user code started is killed.
"""
import ast
import importlib
import importlib.abc
import importlib.util
import inspect
import json
import os
import re
import signal
import sys
import tempfile
import threading
import traceback

# User code may replace these; the protocol keeps its own.
_dumps, _loads, _write = json.dumps, json.loads, os.write
CHUNK = 1 << 20


class Missing(Exception):
    """No such file, module or name."""


# --- processes ----------------------------------------------------------------------------------------------------------------------


def guard():
    """Forks: the child runs user code in a process group of its own, and this process stays, to end the group when Rolecall ends."""
    if not hasattr(os, 'fork'):
        return
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        return
    for descriptor in (3, 4):
        os.close(descriptor)

    def end(_signal=None, _frame=None):
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            pass

    def wait_for_rolecall():
        while os.read(0, 1024):
            pass
        end()

    # Ctrl-C reaches only this process: a call is interrupted, and Rolecall decides what follows.
    signal.signal(signal.SIGINT, lambda *_: os.killpg(child, signal.SIGINT))
    signal.signal(signal.SIGTERM, end)
    threading.Thread(target=wait_for_rolecall, daemon=True).start()
    _, status = os.waitpid(child, 0)
    end()
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


# --- the checkout -------------------------------------------------------------------------------------------------------------------


class Checkout(importlib.abc.MetaPathFinder):
    """Imports single modules of a checkout.

    OpenCompass's packages import all of their modules, and with them packages that most users lack. A package whose `__init__.py` only
    gathers names is therefore loaded on demand: a name of it loads the module that defines it, all others stay out.
    """

    def __init__(self, folder):
        self.folder = folder
        self.texts = None

    def find_spec(self, name, path=None, target=None):
        if not self.folder or name.split('.')[0] not in ('opencompass', 'ais_bench'):
            return None
        package = os.path.join(self.folder, *name.split('.'))
        init = os.path.join(package, '__init__.py')
        if not os.path.isfile(init):
            return None
        tree = ast.parse(read(init), init)
        gathers = (ast.Import, ast.ImportFrom, ast.Expr)
        if not tree.body or not all(isinstance(statement, gathers) for statement in tree.body):
            return None
        spec = importlib.util.spec_from_file_location(name, init, loader=GatheredNames(self, init, tree), submodule_search_locations=[package])
        return spec

    def files(self):
        """The text of every module, by path; configs are not code that defines classes."""
        if self.texts is None:
            self.texts = {}
            for top in ('opencompass', os.path.join('ais_bench', 'benchmark')):
                for folder, folders, names in os.walk(os.path.join(self.folder or os.devnull, top)):
                    folders[:] = sorted(name for name in folders if name != 'configs' and not name.startswith(('.', '__')))
                    for name in sorted(names):
                        if name.endswith('.py'):
                            path = os.path.join(folder, name)
                            self.texts[path] = read(path)
        return self.texts

    def modules_defining(self, name):
        """The modules that define a class or function of this name, or register one under it; else those that do so in an if or try."""
        head = rf'(?:class|(?:async )?def) {re.escape(name)}\b'
        registers = rf'register_module\((?:name=)?[\'"]{re.escape(name)}[\'"]'
        holding = {path: text for path, text in self.files().items() if name in text}
        for defines in (rf'^{head}|{registers}', rf'^(?:if|try|else|except)\b.*\n(?:[ \t].*\n|\n)*?[ \t]+{head}'):
            found = [path for path, text in holding.items() if re.search(defines, text, re.M)]
            if found:
                break
        for path in found:
            inner = os.path.relpath(path, self.folder)[: -len('.py')].split(os.sep)
            yield '.'.join(inner[:-1] if inner[-1] == '__init__' else inner)


class GatheredNames(importlib.abc.Loader):
    """A package whose names are imported when they are used."""

    def __init__(self, checkout, file, tree):
        self.checkout, self.file, self.tree = checkout, file, tree

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        def load_all():
            module.__dict__.pop('__getattr__', None)
            try:
                exec(compile(self.tree, self.file, 'exec'), module.__dict__)
            finally:
                module.__getattr__ = get

        def get(name):
            if name == '__all__':  # `from package import *` needs every name.
                load_all()
                raise AttributeError(name)
            if name.startswith('__'):
                raise AttributeError(name)
            for source, original in reversed(list(self.sources(module.__name__, name))):
                value = getattr(imported(source), original, get)
                if value is not get:
                    setattr(module, name, value)
                    return value
            try:
                return importlib.import_module(f'{module.__name__}.{name}')
            except ModuleNotFoundError as error:
                if error.name != f'{module.__name__}.{name}':
                    raise
            load_all()
            if name not in module.__dict__:
                raise AttributeError(f'module {module.__name__!r} has no attribute {name!r}')
            return module.__dict__[name]

        module.__getattr__ = get

    def sources(self, package, name):
        """Where the `__init__.py` takes a name from: explicit imports, and star imports of modules that define it."""
        defining = None
        for statement in self.tree.body:
            if not isinstance(statement, ast.ImportFrom):
                continue
            parent = package.rsplit('.', statement.level - 1)[0] if statement.level else ''
            source = '.'.join(part for part in (parent, statement.module) if part)
            for alias in statement.names:
                if (alias.asname or alias.name) == name and statement.module:
                    yield source, alias.name
                elif alias.name == '*':
                    if defining is None:
                        defining = set(self.checkout.modules_defining(name))
                    if any(module == source or module.startswith(f'{source}.') for module in defining):
                        yield source, name


def imported(name):
    """A module; an attribute that its code lacks is an error of that module, not a missing name of the package."""
    try:
        return importlib.import_module(name)
    except AttributeError as error:
        raise ImportError(f'{name} cannot be imported: {error}') from error


def find_registered(checkout):
    """Lets OpenCompass's registries find what no import has registered yet, by looking for its name in the checkout."""
    registry = sys.modules.get('opencompass.registry')
    kind = getattr(registry, 'Registry', None)
    if kind is None or hasattr(kind, '_rolecall_get'):
        return
    kind._rolecall_get = kind.get

    def get(self, key, *rest, **settings):
        found = attempt(lambda: kind._rolecall_get(self, key, *rest, **settings))
        if found is None and isinstance(key, str):
            for module in checkout.modules_defining(key.rsplit('.', 1)[-1]):
                importlib.import_module(module)
            found = kind._rolecall_get(self, key, *rest, **settings)
        return found

    kind.get = get


def attempt(work):
    try:
        return work()
    except (ImportError, KeyError):
        return None


# --- names --------------------------------------------------------------------------------------------------------------------------

REGISTRIES = {
    'dataset': ['LOAD_DATASET'],
    'evaluator': ['ICL_EVALUATORS'],
    'postprocessor': ['TEXT_POSTPROCESSORS', 'DICT_POSTPROCESSORS'],
    'dict_postprocessor': ['DICT_POSTPROCESSORS', 'TEXT_POSTPROCESSORS'],
    'function': ['TEXT_POSTPROCESSORS', 'DICT_POSTPROCESSORS'],
}


class Names:
    """Finds classes and functions by the names that configs give them."""

    def __init__(self, folder, checkout):
        self.folder, self.checkout = folder, checkout
        self.loaded, self.scanned = {}, set()

    def is_new(self, request):
        return (request['kind'], request['name'], request.get('from')) not in self.loaded

    def find(self, request):
        key = kind, name, near = request['kind'], request['name'], request.get('from')
        if key not in self.loaded:
            beside = os.path.dirname(os.path.abspath(os.path.join(self.folder, near))) if near else self.folder
            if beside not in sys.path:
                sys.path.insert(0, beside)
            self.loaded[key] = self.look_up(kind, name, beside)
            find_registered(self.checkout)
        return self.loaded[key]

    def look_up(self, kind, name, beside):
        file, colon, attribute = name.rpartition(':')
        if colon and file.endswith('.py'):
            return self.member(self.module_at(os.path.join(beside, file)), attribute, file)
        if '.' in name:
            return self.dotted(name)
        self.import_beside(beside, name)
        found = self.registered(kind, name)
        if found is not None:
            return found
        for module in list(self.checkout.modules_defining(name)):
            value = getattr(importlib.import_module(module), name, None)
            found = self.registered(kind, name) or value
            if found is not None:
                return found
        raise Missing(f'no file beside the config and no module of the checkout defines or registers "{name}"')

    def dotted(self, name):
        """`package.module.Name`, also of a class in a class."""
        parts = name.split('.')
        for length in range(len(parts) - 1, 0, -1):
            module = '.'.join(parts[:length])
            try:
                value = importlib.import_module(module)
            except ModuleNotFoundError as error:
                if error.name is None or not (module == error.name or module.startswith(f'{error.name}.')):
                    raise
                continue
            for attribute in parts[length:]:
                value = self.member(value, attribute, module)
            return value
        raise Missing(f'there is no module {".".join(parts[:-1])} in {", ".join(path for path in sys.path[:4] if path)}')

    def member(self, value, attribute, where):
        try:
            return getattr(value, attribute)
        except AttributeError:
            raise Missing(f'{where} has no "{attribute}"') from None

    def module_at(self, path):
        path = os.path.abspath(path)
        checkout = self.checkout.folder
        if checkout and path.startswith(os.path.join(checkout, 'opencompass') + os.sep) and os.path.isfile(path):
            return importlib.import_module(os.path.relpath(path, checkout)[: -len('.py')].replace(os.sep, '.'))
        if os.path.isfile(os.path.join(os.path.dirname(path), '__init__.py')) and os.path.isfile(path):
            return importlib.import_module(self.in_package(path))
        name = re.sub(r'\W', '_', path[: -len('.py')]).lstrip('_')
        if name in sys.modules:
            return sys.modules[name]
        if not os.path.isfile(path):
            raise Missing(f'there is no file {path}')
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
        return module

    def in_package(self, path):
        """The name of a module in a package, whose imports may be relative to it."""
        folder, parts = os.path.dirname(path), [os.path.basename(path)[: -len('.py')]]
        while os.path.isfile(os.path.join(folder, '__init__.py')):
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        return '.'.join(parts)

    def import_beside(self, folder, name):
        """Imports the files beside a config that mention a registered name."""
        for file in sorted(os.listdir(folder)):
            path = os.path.join(folder, file)
            if not file.endswith('.py') or path in self.scanned or not os.path.isfile(path):
                continue
            text = read(path)
            if re.search(rf'^(?:class|def) {re.escape(name)}\b|register_module\((?:name=)?[\'"]{re.escape(name)}[\'"]', text, re.M):
                self.scanned.add(path)
                importlib.import_module(file[: -len('.py')])

    def registered(self, kind, name):
        registry = sys.modules.get('opencompass.registry')
        for registry_name in REGISTRIES[kind]:
            found = getattr(registry, registry_name, None)
            value = getattr(found, 'module_dict', {}).get(name)
            if value is not None:
                return value
        return None


def read(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        return file.read()


# --- calls --------------------------------------------------------------------------------------------------------------------------


def call_dataset(value, settings):
    load = value.__new__(value).load if isinstance(value, type) else value
    return load(**settings)


def call_evaluator(value, settings, predictions, references, rows=None, prompts=None, steps=None):
    if not isinstance(value, type):
        return call_scoring_function(value, settings, predictions, references, rows)
    whole = {'predictions': predictions, 'references': references}
    takes = parameters_of(value) or ()
    evaluator = value(**settings, **(whole if 'predictions' in takes and 'references' in takes else {}))
    if getattr(evaluator, '_out_dir', None) is None:
        evaluator._out_dir = os.path.join(scratch(), 'results')
    if callable(getattr(evaluator, 'pred_postprocess', None)):
        whole['predictions'] = evaluator.pred_postprocess(predictions)
    whole['test_set'] = test_set(rows) if rows is not None else None
    whole['origin_prompt'] = prompts if prompts is not None else [None] * len(predictions)
    whole['steps'] = steps
    taken = parameters_of(evaluator.score)
    return evaluator.score(**(whole if taken is None else {name: item for name, item in whole.items() if name in taken}))


def call_scoring_function(value, settings, predictions, references, rows):
    """A function scores all answers if its first parameter is called predictions, else the one answer."""
    taken = parameters_of(value)
    takes_all = taken is None or taken[:1] in (['predictions'], ['preds'])
    whole = [predictions, references, rows or []]
    given = whole if takes_all else [each[0] if each else None for each in whole]
    return value(*(given if taken is None else given[: len(taken)]), **settings)


def call_postprocessor(value, text, settings):
    return value(text, **settings)


class JudgedDataset:
    """What a dict_postprocessor uses of a dataset object: the rows of its test split."""

    def __init__(self, rows):
        self.test = test_set(rows)
        self.dataset = {'test': self.test}
        self.reader = self


def call_dict_postprocessor(value, output, settings, rows=None):
    if rows is not None and 'dataset' in (parameters_of(value) or ()):
        settings = {'dataset': JudgedDataset(rows), **settings}
    return value(output, os.path.join(scratch(), 'judged.json'), **settings)


def call_function(value, args, settings=None):
    return value(*args, **(settings or {}))


CALLS = {'dataset': call_dataset, 'evaluator': call_evaluator, 'postprocessor': call_postprocessor, 'dict_postprocessor': call_dict_postprocessor, 'function': call_function}


def parameters_of(value):
    """The names of the parameters that a call may give; None if it takes any."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    return None if any(each.kind is each.VAR_KEYWORD for each in parameters) else [each.name for each in parameters]


def test_set(rows):
    """Rows as OpenCompass's evaluators get them; columns that Arrow cannot hold stay in a list."""
    try:
        from datasets import Dataset

        return Dataset.from_list(rows)
    except Exception:
        return rows


_scratch = []


def scratch():
    if not _scratch:
        _scratch.append(tempfile.TemporaryDirectory(prefix='rolecall-'))
    return _scratch[0].name


def plain(value):
    """Values that JSON lacks, as plain data."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    for convert in ('tolist', 'item'):  # numpy
        if type(value).__module__ == 'numpy' and hasattr(value, convert):
            return getattr(value, convert)()
    if type(value).__module__ in ('datetime', 'decimal', 'uuid', 'pathlib', 'fractions') or isinstance(value, os.PathLike):
        return str(value)
    if hasattr(value, 'keys') and hasattr(value, '__getitem__'):
        return {key: value[key] for key in value.keys()}
    if hasattr(value, '__iter__') and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f'its result has a value of {type(value).__module__}.{type(value).__qualname__}, which is not plain data')


def with_text_keys(value):
    """Keys as JSON can write them, for dicts with keys such as tuples."""
    if isinstance(value, dict):
        return {key if isinstance(key, (str, int, float, bool, type(None))) else repr(key): with_text_keys(item) for key, item in value.items()}
    return [with_text_keys(item) for item in value] if isinstance(value, (list, tuple)) else value


def as_json(value):
    try:
        return _dumps(value, default=plain)
    except TypeError as error:
        if 'keys must be' not in str(error):
            raise
        return _dumps(with_text_keys(value), default=plain)


# --- protocol -----------------------------------------------------------------------------------------------------------------------


class Protocol:
    def __init__(self, paths):
        # Numbers that user code does not close by accident, and that no program it starts inherits.
        self.requests, self.replies = high(3), high(4)
        self.roots = [os.path.realpath(path) + os.sep for path in paths]

    def lines(self):
        rest = b''
        while True:
            part = os.read(self.requests, 1 << 20)
            if not part:
                return
            *lines, rest = (rest + part).split(b'\n')
            yield from lines

    def send(self, number, tag, text):
        data = f'{number} {tag} {text}\n'.encode()
        while data:
            data = data[_write(self.replies, data):]

    def send_result(self, number, value):
        """Rows leave in chunks, so that neither side holds a dataset as one text."""
        if hasattr(value, 'column_names') and not isinstance(value, dict) and hasattr(value, '__len__'):
            return self.send_rows(number, value)
        if isinstance(value, dict) and value and all(hasattr(split, 'column_names') for split in value.values()):
            for split, rows in value.items():
                self.send(number, 'split', as_json(split))
                self.send_rows(number, rows)
            return None
        if isinstance(value, list) and len(value) > 1000:
            return self.send_rows(number, value)
        return self.send(number, 'value', as_json(value))

    def send_rows(self, number, rows):
        self.send(number, 'rows', '[]')
        chunk, size = [], 0
        for row in rows:
            chunk.append(as_json(row))
            size += len(chunk[-1])
            if size > CHUNK:
                self.send(number, 'rows', f'[{",".join(chunk)}]')
                chunk, size = [], 0
        if chunk:
            self.send(number, 'rows', f'[{",".join(chunk)}]')

    def failure(self, error, reason):
        """What failed, and where in the user's or the checkout's files; the traceback without this file's frames."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        frames = traceback.extract_tb(trace)
        own = [frame for frame in frames if any(os.path.realpath(frame.filename).startswith(root) for root in self.roots)]
        place = {'file': own[-1].filename, 'line': own[-1].lineno} if own else {}
        message = str(error)
        if isinstance(error, SyntaxError) and error.filename:
            place = {'file': error.filename, 'line': error.lineno, 'column': error.offset}
            message, trace = error.msg, None
        shown = ''.join(traceback.format_exception(type(error), error, trace))[-4000:] if trace else ''
        return {'reason': reason, 'exception': type(error).__name__, 'message': message[:2000], **place, 'trace': shown}


class Output:
    """A standard stream, which is there again for the next call if user code closes it."""

    def __init__(self, name, descriptor):
        self.name, self.descriptor, self.kept = name, descriptor, high(os.dup(descriptor))

    def restore(self):
        try:
            getattr(sys, self.name).flush()
        except (AttributeError, OSError, ValueError):
            os.dup2(self.kept, self.descriptor)
            setattr(sys, self.name, open(self.descriptor, 'w', encoding='utf-8', errors='replace', closefd=False))


def high(descriptor):
    try:
        import fcntl

        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 200)
        os.close(descriptor)
        return moved
    except ImportError:
        os.set_inheritable(descriptor, False)
        return descriptor


def reason_of(error, is_loaded):
    if isinstance(error, KeyboardInterrupt):
        return 'stopped'
    if isinstance(error, Missing) or (isinstance(error, ModuleNotFoundError) and not is_loaded):
        return 'missing'
    return 'raised'


def answer(protocol, names, request):
    number, is_loaded = request['id'], False
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if names.is_new(request):
            # Imports have a limit of their own.
            protocol.send(number, 'loads', '')
            value = names.find(request)
            protocol.send(number, 'loaded', '')
        value = names.find(request)
        is_loaded = True
        if 'given' not in request:
            called = {'dataset': 'load', 'evaluator': 'score'}.get(request['kind'])
            target = getattr(value, called, value) if isinstance(value, type) and called else value
            found = {'name': getattr(value, '__name__', request['name']), 'file': file_of(value), 'isFunction': not isinstance(value, type)}
            taken = parameters_of(target)
            result = found if taken is None else {**found, 'parameters': [name for name in taken if name != 'self']}
        else:
            result = CALLS[request['kind']](value, **request['given'])
        protocol.send_result(number, result)
        protocol.send(number, 'done', '')
    except BaseException as error:  # SystemExit and KeyboardInterrupt are failures of the call as well.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        protocol.send(number, 'failed', as_json(protocol.failure(error, reason_of(error, is_loaded))))
    finally:
        # Between calls there is nothing to interrupt.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def file_of(value):
    try:
        return inspect.getsourcefile(inspect.unwrap(value)) or ''
    except TypeError:
        return ''


def version_of(name):
    try:
        from importlib import metadata

        return metadata.version(name)
    except Exception:
        return None


def main():
    paths, folder = _loads(sys.argv[1]), sys.argv[2]
    guard()
    # A name beside the config comes before the checkout's, and both before installed packages; not this file's folder.
    sys.path[:1] = [path for path in [*paths, folder] if path]
    checkout = Checkout(folder)
    sys.meta_path.insert(0, checkout)
    protocol, names = Protocol([*paths, *([folder] if folder else [])]), Names(paths[0], checkout)
    packages = {name: version_of(name) for name in ('opencompass', 'mmengine', 'datasets', 'numpy', 'pandas', 'sympy')}
    versions = {'python': sys.version.split()[0], 'executable': sys.executable, **{name: known for name, known in packages.items() if known}}
    protocol.send(0, 'ready', _dumps({'pid': os.getpid(), 'versions': versions}))
    outputs = [Output('stdout', 1), Output('stderr', 2)]
    for line in protocol.lines():
        answer(protocol, names, _loads(line))
        for output in outputs:
            output.restore()
    os._exit(0)


main()
