class BaseMetric:
    def __init__(self, *_, **__):
        self.results = []
