from . import data
