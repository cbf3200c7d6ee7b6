mmlu_prompt_template = dict(
    type='PromptTemplate',
    template=dict(
        begin=[dict(role='SYSTEM', fallback_role='HUMAN', prompt='The following are '
            'multiple choice questions (with answers) about physics.'),
            '</E>',
        ],
        round=[
            dict(role='HUMAN', prompt='</input>\nA. </A>\nB. </B>\nC. </C>\nD. </D>\nAnswer: '),
            dict(role='BOT', prompt='</target>'),
        ],
        end="end of dataset prompt template."
    ),
        column_token_map={
            'input': '</input>',
            'A': '</A>',
            'B': '</B>',
            'C': '</C>',
            'D': '</D>',
            'target': '</target>'
        },
        ice_token='</E>',
    )

