import { asked, example, examples, inDialogue, metaTemplate, solve, string } from './documented-parts.ts'
import type { Statement } from './statement.ts'

const plainTurns = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
]

/** Snippets of document 002: prompt templates, rows and examples. */
export const datasetStatements: readonly Statement[] = [
  {
    name: 'an example without a template',
    document: '002',
    parts: { example },
    refused: 'missing',
  },
  {
    name: 'a string template with its example: the answer is masked',
    document: '002',
    parts: { prompt_template: { type: 'PromptTemplate', template: '{anything}\nQuestion: {question}\nAnswer: {answer}' }, example },
    prompt: '{anything}\nQuestion: 1+1=?\nAnswer: ',
  },
  {
    name: 'ex1 to ex3 without a retriever',
    document: '002',
    parts: {
      infer_cfg: { ice_template: { type: 'PromptTemplate', template: '{question}\n{answer}' }, prompt_template: string },
      ...examples,
    },
    prompt: 'Solve the following questions.\n2+2=?\n4\n3+3=?\n6\n1+1=?\n',
  },
  {
    name: 'datasets beside their row',
    document: '002',
    parts: {
      datasets: [
        {
          infer_cfg: {
            ice_template: { type: 'PromptTemplate', template: 'Q: {question}\nA: {answer}' },
            retriever: { type: 'ZeroRetriever' },
            inferencer: { type: 'GenInferencer' },
          },
        },
      ],
      example,
    },
    prompt: 'Q: 1+1=?\nA: ',
  },
  {
    name: 'several rounds before the question',
    document: '002',
    parts: {
      meta_template: metaTemplate,
      prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '2+2=?' }, { role: 'BOT', prompt: '4' }, asked[0], asked[1]] } },
      example,
    },
    prompt: `<HUMAN>: 2+2=?<eoh>\n<BOT>: 4<eob>\n${inDialogue}`,
  },
  {
    name: 'examples in a without a retriever',
    document: '002',
    parts: {
      infer_cfg: {
        ice_template: { type: 'PromptTemplate', template: { round: plainTurns } },
        prompt_template: { type: 'PromptTemplate', template: { begin: [solve, '</E>'], round: plainTurns }, ice_token: '</E>' },
      },
      meta_template: metaTemplate,
      ...examples,
    },
    prompt: `<SYSTEM>: Solve the following questions.<eosys>\n<HUMAN>: 2+2=?<eoh>\n<BOT>: 4<eob>\n<HUMAN>: 3+3=?<eoh>\n<BOT>: 6<eob>\n<HUMAN>: 1+1=?<eoh>\n<BOT>: `,
  },
  {
    name: 'an ice_template as the prompt, with examples',
    document: '002',
    parts: {
      infer_cfg: { ice_template: { type: 'PromptTemplate', template: '</E>Q: {question}\nA: {answer}', ice_token: '</E>' } },
      ...examples,
    },
    prompt: 'Q: 2+2=?\nA: 4\nQ: 3+3=?\nA: 6\nQ: 1+1=?\nA: ',
  },
  {
    name: 'a prompt for each label is compared by perplexity, with or without its inferencer',
    document: '002',
    parts: {
      prompt_template: {
        type: 'PromptTemplate',
        template: { A: 'Which?\nA. {A}\nB. {B}\nAnswer: A', B: 'Which?\nA. {A}\nB. {B}\nAnswer: B' },
      },
      example: { A: 'one', B: 'two', answer: 'B' },
    },
    shows: ['Which?\nA. one\nB. two\nAnswer: A', 'Which?\nA. one\nB. two\nAnswer: B'],
  },
  {
    name: 'a comma that is missing, and a class without quotes, as printed',
    document: '002',
    file: [
      'snippet.py',
      "infer_cfg=dict(\n    ice_template=dict(\n        type=PromptTemplate,\n        template='{question}\\n{answer}'\n    ),\n    prompt_template=dict(\n        type=PromptTemplate,\n        template='Solve.\\n</E>{question}\\n{answer}'\n        ice_token='</E>',\n    )\n)\nex1 = {'question': '2+2=?', 'answer': '4'}\nex2 = {'question': '1+1=?', 'answer': '2'}\n",
    ],
    prompt: 'Solve.\n2+2=?\n4\n1+1=?\n',
  },
]
