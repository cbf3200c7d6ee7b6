from mmengine import is_list_of, mkdir_or_exist


def get_git_hash(*_, **__):
    return ""


def digit_version(text, *_):
    return tuple(int(part) for part in text.split(".") if part.isdigit())


