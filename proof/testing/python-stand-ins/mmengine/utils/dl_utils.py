def collect_env():
    return {}
