import type { Statement } from './statement.ts'

const chat = `<|im_start|>system
你是书生浦语2，一个无害的人工智能助手<|im_end|>
<|im_start|>user
你好呀<|im_end|>
<|im_start|>assistant
你好，我是书生浦语，请问有什么可以帮助你的吗<|im_end|>
`

const vicunaSystem =
  "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the user's questions."

/** As document 003 prints it. */
const ownConversation = {
  seps: [' ', '</s>'],
  stop_tokens: [2],
  offset: 0,
  separator_style: 0,
  stop_str: '</s>',
  roles: ['USER', 'ASSISTANT'],
  role_msg_sep: ': ',
  role_empty_sep: ': ',
  system: 'A chat.',
  add_bos: true,
  name: 'own',
}

/** Snippets of documents 003 and 004: MLC's configs, InternLM2's conversations. */
export const chatStatements: readonly Statement[] = [
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
  {
    name: 'mlc-chat-config in YAML',
    document: '003',
    file: ['chat.yaml', 'conv_template: vicuna_v1.1\ntemperature: 0.7\ntop_p: 0.95\nmean_gen_len: 128\n'],
    except: { library: 'no dataset' },
  },
  {
    name: 'a conv_config with its own history',
    document: '003',
    file: [
      'mlc-chat-config.json',
      JSON.stringify({
        conv_config: {
          seps: [' ', '</s>'],
          stop_tokens: [2],
          offset: 0,
          separator_style: 0,
          messages: [
            ['USER', 'Hi'],
            ['ASSISTANT', 'Hello'],
          ],
          stop_str: '</s>',
          roles: ['USER', 'ASSISTANT'],
          role_msg_sep: ': ',
          role_empty_sep: ': ',
          system: 'A chat.',
          add_bos: true,
          name: 'own',
        },
      }),
    ],
    except: { library: 'no dataset' },
  },
  {
    name: 'a conversation template that is not known',
    document: '003',
    file: ['mlc-chat-config.json', '{ "local_id": "x", "conv_template": "vicuna_v9" }'],
    refused: 'unknown-template',
    except: { library: 'no dataset' },
    works: ['serve', 'viewer'],
  },
  {
    name: 'a conversation with a tool, its call and its result as messages',
    document: '004',
    file: [
      'chat.json',
      JSON.stringify({
        messages: [
          { role: 'user', content: '天气' },
          {
            role: 'assistant',
            content: '好的',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{"location": "Shanghai"}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: '{"temperature": 22}' },
        ],
        tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } }],
      }),
    ],
    prompt:
      '<s><|im_start|>system name=<|plugin|>\n[{"name": "get_weather", "parameters": {"type": "object", "properties": {}}}]<|im_end|>\n<|im_start|>user\n天气<|im_end|>\n<|im_start|>assistant\n好的<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"location": "Shanghai"}}<|action_end|><|im_end|>\n<|im_start|>environment name=<|plugin|>\n{"temperature": 22}<|im_end|>\n<|im_start|>assistant\n',
  },
  {
    name: 'a file of the user, as a turn with a name',
    document: '004',
    file: [
      'chat.yaml',
      'messages:\n  - { role: user, name: file, content: \'[{"path": "data.csv", size=10K}]\' }\n  - { role: user, content: 请处理 }\n',
    ],
    prompt:
      '<s><|im_start|>user name=file\n[{"path": "data.csv", size=10K}]<|im_end|>\n<|im_start|>user\n请处理<|im_end|>\n<|im_start|>assistant\n',
  },
  {
    name: 'messages, loose',
    document: '004',
    parts: { messages: [{ role: 'user', content: '1+1=?' }] },
    prompt: '<s><|im_start|>user\n1+1=?<|im_end|>\n<|im_start|>assistant\n',
  },
  {
    name: 'a conversation template beside messages',
    document: '003',
    parts: { conv_template: 'vicuna_v1.1', temperature: 0.7, messages: [{ role: 'user', content: '1+1=?' }] },
    prompt: `${vicunaSystem} USER: 1+1=? ASSISTANT:`,
  },
  {
    name: 'a conversation template alone, with its settings',
    document: '003',
    parts: { conv_template: 'vicuna_v1.1', temperature: 0.7, top_p: 0.95 },
    except: { library: 'no dataset' },
  },
  {
    name: 'a conv_config with an empty history',
    document: '003',
    parts: { conv_config: { ...ownConversation, messages: [] }, messages: [{ role: 'user', content: '1+1=?' }] },
    prompt: 'A chat. USER: 1+1=? ASSISTANT: ',
  },
  {
    name: 'a conv_config with an empty history, in its own file',
    document: '003',
    file: ['mlc-chat-config.json', JSON.stringify({ conv_config: { ...ownConversation, messages: [] } })],
    except: { library: 'no dataset' },
  },
]
