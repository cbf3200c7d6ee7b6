prompt_template={
        target:
        dict(
            begin=[dict(role='SYSTEM', fallback_role='HUMAN', prompt='The following are '
                'multiple choice questions (with answers) about '
                f'{name.replace("_", " ")}.\n'),
                '</E>',
            ],
            round=[
                dict(role='HUMAN', prompt='</input>\nA. </A>\nB. </B>\nC. </C>\nD. </D>\nAnswer: '),
                dict(role='BOT', prompt=f'{target}'),
            ]
        )
        for target in ['A', 'B', 'C', 'D']  # use the actual answer
    }
