class Dataset:
    pass


class DataLoader:
    pass
