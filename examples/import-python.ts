// A Python config of OpenCompass, read without Python: what it says, and the exact prompt it gives.

import type { DatasetConfig, ModelConfig } from 'rolecall'
import { compilePrompt } from 'rolecall/datasets'

import { promptText } from 'rolecall/formats'
import { importConfig } from 'rolecall/opencompass'

const files: Record<string, string> = {
  'eval.py': `
from opencompass.models import VLLM
with read_base():
    from .quiz import quiz_datasets
models = [dict(type=VLLM, abbr='chat', meta_template=dict(round=[
    dict(role='HUMAN', begin='<|im_start|>user\\n', end='<|im_end|>\\n'),
    dict(role='BOT', begin='<|im_start|>assistant\\n', end='<|im_end|>\\n', generate=True)]))]
datasets = [*quiz_datasets]`,
  'quiz.py': `
quiz_datasets = []
for _name in ['world_history', 'physics']:
    quiz_datasets.append(dict(abbr=f'quiz_{_name}', infer_cfg=dict(prompt_template=dict(type=PromptTemplate, template=dict(
        round=[dict(role='HUMAN', prompt=f'A question about {_name.replace("_", " ")}.\\n{{question}}')])))))`,
}
const { config, datasets, models } = importConfig('eval.py', { read: (path) => files[path] })

console.log(datasets.map(({ abbr, promptHash }) => `${abbr} ${promptHash?.slice(0, 6)}`).join(', '))
console.log(`not here: ${models[0]?.missing.join(', ')}`)
const maker = compilePrompt(config.models[0] as ModelConfig, config.datasets[0] as DatasetConfig)
console.log(promptText(maker.render({ row: { question: 'Who built the Great Wall?' }, mode: 'gen' }).prompt))

// Prints:
// quiz_world_history f972da, quiz_physics 3b8808
// not here: type VLLM
// <|im_start|>user
// A question about world history.
// Who built the Great Wall?<|im_end|>
// <|im_start|>assistant
//
