"""A stand-in for the package evaluate, with its metric accuracy alone."""


class Accuracy:
    @staticmethod
    def compute(predictions, references):
        right = [one == other for one, other in zip(predictions, references)]
        return {'accuracy': sum(right) / len(right)}


def load(path, *_, **__):
    if 'accuracy' not in str(path):
        raise FileNotFoundError(f'the stand-in has no metric {path}')
    return Accuracy()
