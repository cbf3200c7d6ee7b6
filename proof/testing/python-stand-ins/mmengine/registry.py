import importlib
import inspect


class Registry:
    def __init__(self, name, build_func=None, parent=None, scope=None, locations=()):
        self.name, self.parent, self.locations = name, parent, list(locations)
        self.module_dict = {}
        self._imported = False

    def __contains__(self, key):
        return self.get(key) is not None

    def import_from_location(self):
        if not self._imported:
            self._imported = True
            for location in self.locations:
                try:
                    importlib.import_module(location)
                except ImportError:
                    pass

    def get(self, key):
        if not isinstance(key, str):
            raise TypeError(f'the key of a registry is a str, not {type(key)}')
        self.import_from_location()
        if key in self.module_dict:
            return self.module_dict[key]
        if '.' in key:
            module, _, name = key.rpartition('.')
            return getattr(importlib.import_module(module), name, None)
        return self.parent.get(key) if self.parent else None

    def build(self, cfg, *args, **kwargs):
        settings = {**cfg, **kwargs}
        kind = settings.pop('type')
        made = self.get(kind) if isinstance(kind, str) else kind
        if made is None:
            raise KeyError(f'{kind} is not in the {self.name} registry')
        return made(*args, **settings)

    def register_module(self, name=None, force=False, module=None):
        def register(made):
            names = [name] if isinstance(name, str) else (name or [made.__name__])
            for each in names:
                if not force and each in self.module_dict:
                    raise KeyError(f'{each} is already registered in {self.name}')
                self.module_dict[each] = made
            return made

        if name is not None and not isinstance(name, (str, list)) and (inspect.isclass(name) or callable(name)):
            made, name = name, None
            return register(made)
        return register if module is None else register(module)


METRICS = Registry('metric')
