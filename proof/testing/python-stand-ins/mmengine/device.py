def is_npu_available():
    return False
