models = [
    dict(type='LLM',
         # ...
         meta_template = dict(
            begin="meta instruction\nYou are an AI assistant.\n",
            round=[
                    dict(role='HUMAN', begin='<|HUMAN|>:', end='脷\n'),  # begin and end can be a list of strings or integers.
                    dict(role='THOUGHTS', begin='<|Inner Thoughts|>:', end='茔\n', prompt='None'),
                    dict(role='COMMANDS', begin='<|Commands|>:', end='蝮\n', prompt='None'),
                    dict(role='RESULTS', begin='<|Results|>:', end='兒\n', prompt='None'),  # Here we can set the default prompt, which may be overridden by the speicfic dataset
                    dict(role='BOT', begin='<|MOSS|>:', generate=True, end='氡\n'),
            ],
            end="end of conversion",
            reserved_roles=[dict(role='SYSTEM', begin='<|SYSTEM|>: ', end='\n'),],
            # the token to stop the generation tasks (TODO: support string)
            eos_token_id=65605,
         ),
     )
]
