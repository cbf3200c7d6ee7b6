# When specifying, just pass the meta_template field to model configuration
models = [
    dict(
        type='AnyModel',
        meta_template=...,  # meta template
    )
]
