// Parts that documents 000 to 002 share.

export const example = { question: '1+1=?', answer: '2', irrelavent_infos: 'blabla' }
export const examples = {
  ex1: { question: '2+2=?', answer: '4' },
  ex2: { question: '3+3=?', answer: '6' },
  ex3: { question: '1+1=?', answer: '2' },
}
export const human = { role: 'HUMAN', begin: '<HUMAN>: ', end: '<eoh>\n' }
export const bot = { role: 'BOT', begin: '<BOT>: ', end: '<eob>\n', generate: true }
export const system = { role: 'SYSTEM', begin: '<SYSTEM>: ', end: '<eosys>\n' }
export const metaTemplate = { round: [human, bot], reserved_roles: [system] }
export const asked = [
  { role: 'HUMAN', prompt: 'Question: {question}' },
  { role: 'BOT', prompt: 'Answer: {answer}' },
]
export const solve = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve the following questions.' }
export const dialogue = { type: 'PromptTemplate', template: { round: asked } }
export const string = { type: 'PromptTemplate', template: 'Solve the following questions.\n</E>{question}\n{answer}', ice_token: '</E>' }
export const inDialogue = '<HUMAN>: Question: 1+1=?<eoh>\n<BOT>: '
