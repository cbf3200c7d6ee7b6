import { asked, bot, dialogue, example, human, inDialogue, metaTemplate, solve } from './documented-parts.ts'
import type { Statement } from './statement.ts'

/** Snippets of documents 000 and 001: meta templates, and what they make of a dataset. */
export const modelStatements: readonly Statement[] = [
  {
    name: 'both halves of a config: models beside a template with a prefix',
    document: '000',
    parts: { models: [{ type: 'LLM', meta_template: metaTemplate }], mmlu_prompt_template: dialogue, example },
    prompt: inDialogue,
  },
  {
    name: 'models beside a template, the meta template beside both',
    document: '000 with 002',
    parts: { models: [{ type: 'AnyModel' }], meta_template: metaTemplate, prompt_template: dialogue, example },
    prompt: inDialogue,
  },
  {
    name: 'a meta template twice',
    document: '001',
    parts: {
      models: [{ type: 'AnyModel', meta_template: { round: [human, bot] } }],
      meta_template: metaTemplate,
      prompt_template: dialogue,
      example,
    },
    refused: 'two-parts',
  },
  {
    name: 'a meta template alone',
    document: '001',
    parts: { meta_template: metaTemplate },
    except: { library: 'no dataset' },
  },
  {
    name: 'a meta template without round',
    document: '000',
    parts: { meta_template: { begin: 'Meta instruction\n', end: '\nend' }, prompt_template: dialogue, example },
    prompt: 'Meta instruction\nQuestion: 1+1=?\nAnswer: \nend',
  },
  {
    name: 'a PromptList',
    document: '001',
    parts: { PromptList: [solve, { role: 'HUMAN', prompt: '1+1=?' }, { role: 'BOT', prompt: '2' }] },
    prompt: 'Solve the following questions.\n1+1=?\n2',
  },
  {
    name: 'a PromptList beside a meta template',
    document: '001',
    parts: { meta_template: metaTemplate, PromptList: [solve, { role: 'HUMAN', prompt: '1+1=?' }, { role: 'BOT', prompt: '2' }] },
    prompt: '<SYSTEM>: Solve the following questions.<eosys>\n<HUMAN>: 1+1=?<eoh>\n<BOT>: ',
  },
  {
    name: 'a template with only begin',
    document: '000',
    parts: { meta_template: metaTemplate, prompt_template: { template: { begin: [solve, asked[0]] } }, example },
    prompt: `<SYSTEM>: Solve the following questions.<eosys>\n${inDialogue}`,
  },
  {
    name: 'a text before the rounds and after them',
    document: '000',
    parts: { meta_template: metaTemplate, prompt_template: { template: { begin: 'Intro.\n', round: asked, end: 'Bye' } }, example },
    prompt: `Intro.\n${inDialogue}`,
  },
  {
    name: 'a text within the rounds of a meta template',
    document: '000',
    parts: { models: [{ type: 'LLM', meta_template: { round: ['Next:\n', human, bot] } }], prompt_template: dialogue, example },
    prompt: `Next:\n${inDialogue}`,
  },
  {
    name: "a role's begin and end in the dataset win",
    document: '000',
    parts: {
      meta_template: metaTemplate,
      prompt_template: { template: { round: [{ role: 'HUMAN', begin: 'Q> ', end: '\n', prompt: '{question}' }, asked[1]] } },
      example,
    },
    prompt: 'Q> 1+1=?\n<BOT>: ',
  },
  {
    name: 'without a meta template, begin, prompt and end are joined',
    document: '000',
    parts: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', begin: 'Q: ', end: ';', prompt: '{question}' },
            { role: 'BOT', begin: 'A: ', prompt: '{answer}' },
          ],
        },
      },
      example,
    },
    prompt: 'Q: 1+1=?;\nA: ',
  },
  {
    name: 'the default prompt of a role, and the one that the dataset gives',
    document: '000',
    parts: {
      models: [
        {
          type: 'LLM',
          meta_template: {
            round: [
              human,
              { role: 'THOUGHTS', begin: 'T:', end: '\n', prompt: 'None' },
              { role: 'RESULTS', begin: 'R:', end: '\n', prompt: 'None' },
              bot,
            ],
          },
        },
      ],
      prompt_template: { template: { round: [asked[0], { role: 'THOUGHTS', prompt: 'hm' }, asked[1]] } },
      example,
    },
    prompt: '<HUMAN>: Question: 1+1=?<eoh>\nT:hm\nR:None\n<BOT>: ',
  },
  {
    name: 'tokens for columns and for examples',
    document: '000',
    parts: {
      mmlu_prompt_template: {
        type: 'PromptTemplate',
        template: {
          begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Choose.' }, '</E>'],
          round: [
            { role: 'HUMAN', prompt: '</input>\nA. </A>' },
            { role: 'BOT', prompt: '</target>' },
          ],
        },
        column_token_map: { input: '</input>', A: '</A>', target: '</target>' },
        ice_token: '</E>',
      },
      meta_template: metaTemplate,
      example: { input: 'Which?', A: 'Low', target: 'A' },
    },
    prompt: '<SYSTEM>: Choose.<eosys>\n<HUMAN>: Which?\nA. Low<eoh>\n<BOT>: ',
  },
  {
    name: 'a model of the documents alone',
    document: '001',
    parts: { models: [{ type: 'LLM', meta_template: { ...metaTemplate, begin: 'Meta', end: 'end', eos_token_id: 10000 } }] },
    except: { library: 'no dataset' },
  },
  {
    name: 'a meta template that is left empty',
    document: '001',
    parts: { models: [{ type: 'AnyModel', meta_template: null }], prompt_template: dialogue, example },
    prompt: 'Question: 1+1=?\nAnswer: ',
  },
  {
    name: 'a role that the model lacks, without a fallback_role',
    document: '001',
    parts: {
      meta_template: metaTemplate,
      PromptList: [
        { role: 'THOUGHTS', prompt: 'hm' },
        { role: 'HUMAN', prompt: '1+1=?' },
      ],
    },
    refused: 'unknown-role',
    works: ['serve', 'chat', 'viewer', 'lint'],
  },
]
