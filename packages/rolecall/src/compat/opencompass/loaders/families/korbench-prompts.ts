/** The prompt prefix for each KOR-Bench category, as OpenCompass sends it. */
export const korBenchHeads: Readonly<Record<string, string>> = {
  cipher:
    'You are an intelligent assistant that specializes in encryption and decryption tasks. Below are the rules for a specific cipher. When responding, please ensure that your output adheres to the specified encryption and decryption rules and format.\n\n' +
    '### Instructions:\n\n' +
    '1. Identify the relevant properties and objects specified in the rule, including the plaintext, keyword, and ciphertext.\n' +
    '2. Follow the specified encryption or decryption operations precisely as described in the rules.\n' +
    '3. Ensure your output is formatted according to the specified notation and symbols.\n\n' +
    '### Cipher Rule:\n\n',
  counterfactual:
    'You are an advanced assistant with expertise in storytelling and rule-based reasoning. Your task is to carefully analyze the provided story, which includes specific rules and details, and use this information to accurately answer related questions.\n\n' +
    '### Instructions:\n\n' +
    '1. Thoroughly review the story to identify and understand the relevant details and rules.\n' +
    '2. Use the context provided by the story to offer precise and insightful answers.\n' +
    '3. Ensure your responses align with the rules and information given in the story.\n\n' +
    '### Story Rule:\n\n',
  logic:
    'You are an intelligent assistant that helps with various logical reasoning tasks. Below is a custom-defined rule for a specific type of logic. When responding, please ensure that your output adheres to the specified logical rules and format.\n\n' +
    '### Instructions:\n\n' +
    '1. Identify the relevant properties and objects as specified in the rule.\n' +
    '2. Apply the given logical operations or reasoning patterns.\n' +
    '3. Ensure your output is formatted according to the specified notation and symbols.\n\n' +
    '### Logic Rule:\n\n',
  operation:
    'You are an intelligent assistant specializing in evaluating custom operations. Below is a specific rule defined for a custom operation. Your task is to apply this rule accurately to the provided question.\n\n' +
    '### Instructions:\n\n' +
    '1. Carefully read and understand the definitions of the new operations in the rule.\n' +
    '2. If the question does not specifically ask for it, your answer should be a number or a group of numbers.\n' +
    '3. Double-check your final answer to ensure it follows the rule accurately.\n\n' +
    '### Operation Rule:\n\n',
  puzzle:
    'You are an intelligent assistant specializing in solving custom puzzle problems. Below is a specific rule defined for a custom puzzle. Your task is to apply this rule accurately to the provided question.\n\n' +
    '### Instructions:\n\n' +
    '1. Thoroughly understand the rule provided. If needed, break down the rule into simpler components or steps.\n' +
    '2. Apply the rule carefully to address the question presented.\n' +
    '3. Verify your answer to ensure it aligns with the rule and the context of the puzzle.\n\n' +
    '### Puzzle Rule:\n\n',
  mixed:
    'You are an intelligent assistant capable of handling all types of reasoning and problem-solving tasks. Below is the text of a set of rules. Your task is to apply the appropriate rules to solve a series of problems.\n\n' +
    '### Instructions:\n' +
    '1. Read each question carefully and rules to find something relevant to that question.\n' +
    '2. Use the relevant rules to answer each question accurately.\n' +
    '3. Provide the final answers to all questions in JSON format.\n' +
    '  {\n' +
    '  "question1": "your answer",\n' +
    '  "question2": "your answer",\n' +
    '  "question3": "your answer",\n' +
    '  }\n\n' +
    '### Rules:\n\n',
}
