/** A snippet of a document, as data: it is written in Python, YAML and JSON, and must mean the same in each. */
export type Statement = {
  name: string
  /** The document, by its number in shared/seeds. */
  document: string
  /** Top-level names and their values. A list named PromptList is one. */
  parts?: Readonly<Record<string, unknown>>
  /** A file that is no config, by its name, instead of `parts`. */
  file?: readonly [name: string, text: string]
  /** The prompt that `render --text` shows. */
  prompt?: string
  /** The code of the error that says what is missing, on every surface. */
  refused?: string
  /** Surfaces on which it has no meaning, with the code of the error there. */
  except?: Readonly<Record<string, string>>
}

const example = { question: '1+1=?', answer: '2', irrelavent_infos: 'blabla' }
const examples = {
  ex1: { question: '2+2=?', answer: '4' },
  ex2: { question: '3+3=?', answer: '6' },
  ex3: { question: '1+1=?', answer: '2' },
}
const human = { role: 'HUMAN', begin: '<HUMAN>: ', end: '<eoh>\n' }
const bot = { role: 'BOT', begin: '<BOT>: ', end: '<eob>\n', generate: true }
const system = { role: 'SYSTEM', begin: '<SYSTEM>: ', end: '<eosys>\n' }
const metaTemplate = { round: [human, bot], reserved_roles: [system] }
const asked = [
  { role: 'HUMAN', prompt: 'Question: {question}' },
  { role: 'BOT', prompt: 'Answer: {answer}' },
]
const solve = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve the following questions.' }
const dialogue = { type: 'PromptTemplate', template: { round: asked } }
const string = { type: 'PromptTemplate', template: 'Solve the following questions.\n</E>{question}\n{answer}', ice_token: '</E>' }
const inDialogue = '<HUMAN>: Question: 1+1=?<eoh>\n<BOT>: '
const chat = `<|im_start|>system
你是书生浦语2，一个无害的人工智能助手<|im_end|>
<|im_start|>user
你好呀<|im_end|>
<|im_start|>assistant
你好，我是书生浦语，请问有什么可以帮助你的吗<|im_end|>
`

/** Every kind of snippet that a reader of documents 000 to 004 may paste. */
export const statements: readonly Statement[] = [
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
    name: 'a template with only begin',
    document: '000',
    parts: { meta_template: metaTemplate, prompt_template: { template: { begin: [solve, asked[0]] } }, example },
    prompt: `<SYSTEM>: Solve the following questions.<eosys>\n${inDialogue}`,
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
    name: 'mlc-chat-config.json',
    document: '003',
    file: [
      'mlc-chat-config.json',
      '{  // as in the document\n  "local_id": "vicuna", "conv_template": "vicuna_v1.1", "temperature": 0.7,\n  ...\n}\n',
    ],
    except: { library: 'no dataset' },
  },
  { name: 'a conversation', document: '004', file: ['chat.txt', chat], prompt: `<s>${chat}` },
]
