import logging


class MMLogger(logging.Logger):
    _all = {}

    @classmethod
    def get_instance(cls, name, logger_name=None, log_level='INFO', **_):
        if name not in cls._all:
            cls._all[name] = cls(logger_name or name)
        return cls._all[name]

    @classmethod
    def check_instance_created(cls, name):
        return name in cls._all


def print_log(message, *_, **__):
    print(message)
