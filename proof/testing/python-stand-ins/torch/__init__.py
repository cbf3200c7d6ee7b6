"""A stand-in for torch, for tests: names that modules import or compare types with, none of which computes anything. See README.md."""
from . import nn, utils

__version__ = '0.0.0'


def __getattr__(name):
    if not name[:1].isupper():
        raise AttributeError(f'torch.{name} is not in the stand-in for tests')
    globals()[name] = type(name, (), {})
    return globals()[name]
