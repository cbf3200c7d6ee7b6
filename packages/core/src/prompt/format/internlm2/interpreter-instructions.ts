/** The instruction that announces the interpreter, as in document 004 (Chinese) and in English. */
export const interpreterInstructions = {
  zh: [
    '你现在可以使用一个支持 Python 代码执行的 Jupyter 笔记本环境。只需向 python 发送代码，即可在这个有状态环境中进行运行。这个功能适用于:',
    '- 数据分析或处理（如数据操作和图形制作）',
    '- 复杂计算（如数学和物理问题）',
    '- 编程示例（用于理解编程概念或语言特性）',
    '- 文本处理和分析（包括文本分析和自然语言处理）',
    '- 机器学习和数据科学（模型训练和数据可视化展示）',
    '- 文件操作和数据导入（处理CSV、JSON等格式文件）',
  ].join('\n'),
  en: [
    'You now have access to a Jupyter notebook environment supporting Python code execution. Just send code to python to run in this stateful environment. This feature is suitable for:',
    '- Data analysis or processing (such as data manipulation and graphic creation)',
    '- Complex calculations (such as math and physics problems)',
    '- Programming examples (for understanding programming concepts or language features)',
    '- Text processing and analysis (including text analysis and natural language processing)',
    '- Machine learning and data science (model training and data visualization)',
    '- File operations and data import (handling CSV, JSON, etc. formats)',
  ].join('\n'),
} as const
