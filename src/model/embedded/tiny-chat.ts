/** What must be known of the shipped model besides its files in `model/`. */
export const tinyChat = {
  name: 'tiny-chat',
  weightsFile: 'model.int8.onnx',
  tokenizerFile: 'tokenizer.json',
  tokenizerName: 'the embedded model',
  tokenizerConfig: { bos_token: '<s>', eos_token: '<|im_end|>' },
  shape: { layers: 6, heads: 4, headSize: 48, vocabulary: 1536, context: 2048 },
} as const
