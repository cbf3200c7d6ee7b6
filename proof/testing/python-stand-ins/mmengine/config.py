import ast
import contextlib
import inspect
import os


class ConfigDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


class Config(ConfigDict):
    @staticmethod
    def fromfile(file, **_):
        names = names_of(os.path.abspath(file))
        return Config({name: as_dicts(value) for name, value in names.items() if not name.startswith('_') and not inspect.ismodule(value)})


def names_of(file):
    """The names of a config file: its imports of other config files run those."""
    with open(file, encoding='utf-8') as opened:
        tree = ast.parse(opened.read(), file)
    body = [part for statement in tree.body for part in (statement.body if isinstance(statement, ast.With) else [statement])]
    names = {'__name__': 'config', '__file__': file}
    for statement in body:
        found = config_file(file, statement) if isinstance(statement, ast.ImportFrom) else None
        if found is None:
            exec(compile(ast.Module([statement], []), file, 'exec'), names)
            continue
        given = names_of(found)
        for alias in statement.names:
            taken = given if alias.name == '*' else {alias.asname or alias.name: given[alias.name]}
            names.update({name: value for name, value in taken.items() if not name.startswith('__')})
    return names


def config_file(file, statement):
    parts = (statement.module or '').split('.')
    if statement.level:
        folder = os.path.dirname(file)
        for _ in range(statement.level - 1):
            folder = os.path.dirname(folder)
    elif 'configs' in parts:
        folder = file.split(os.sep + parts[0] + os.sep)[0]
    else:
        return None
    found = os.path.join(folder, *parts) + '.py'
    return found if os.path.isfile(found) else None


def as_dicts(value):
    if isinstance(value, dict):
        return ConfigDict({key: as_dicts(item) for key, item in value.items()})
    return [as_dicts(item) for item in value] if isinstance(value, list) else value


def read_base():
    return contextlib.nullcontext()


class DictAction:
    pass
