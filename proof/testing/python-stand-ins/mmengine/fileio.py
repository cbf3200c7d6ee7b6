class LocalBackend:
    pass


def get_file_backend(*_, **__):
    return LocalBackend()
