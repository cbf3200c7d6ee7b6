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
        names = {}
        with open(file, encoding='utf-8') as opened:
            exec(compile(opened.read(), file, 'exec'), names)
        return Config({name: value for name, value in names.items() if not name.startswith('_')})


class DictAction:
    pass
