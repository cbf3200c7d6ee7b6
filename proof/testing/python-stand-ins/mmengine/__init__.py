"""A stand-in for mmengine, for tests: see README.md beside this folder."""
import json
import os

from . import dist, fileio
from .config import Config, ConfigDict
from .registry import Registry

__version__ = '0.0.stand-in'


def load(file, **_):
    with open(file, encoding='utf-8') as opened:
        return json.load(opened)


def dump(value, file=None, **settings):
    settings.pop('file_format', None)
    if file is None:
        return json.dumps(value, **settings)
    with open(file, 'w', encoding='utf-8') as opened:
        json.dump(value, opened, **settings)


def mkdir_or_exist(folder, mode=0o777):
    os.makedirs(os.path.expanduser(folder) or '.', mode=mode, exist_ok=True)


def is_list_of(values, kind):
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


def track_parallel_progress(work, tasks, *_, **__):
    return [work(task) for task in tasks]


class ProgressBar:
    def __init__(self, *_, **__):
        pass

    def update(self, *_):
        pass
