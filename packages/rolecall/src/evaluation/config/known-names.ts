// Written by `npm run docs` from the registries.

/** A shipped conversation format, or a conversation template of MLC. */
// biome-ignore format: generated
export type FormatName =
  | 'LM' | 'aya-23' | 'baichuan' | 'chatml' | 'chatml_nosystem' | 'codellama_completion' | 'codellama_instruct' | 'conv_one_shot'
  | 'deepseek' | 'deepseek_r1_llama' | 'deepseek_r1_qwen' | 'deepseek_v2' | 'deepseek_v3' | 'dolly' | 'gemma3_instruction'
  | 'gemma_instruction' | 'glm' | 'gorilla' | 'gorilla-openfunctions-v2' | 'gpt2' | 'gpt_bigcode' | 'guanaco' | 'hermes2_pro_llama3'
  | 'hermes3_llama-3_1' | 'internlm' | 'internlm-xcomposer2' | 'internlm2' | 'internlm2.5' | 'llama-2' | 'llama-3' | 'llama-3_1'
  | 'llama-4' | 'llama_default' | 'llava' | 'llm-jp' | 'messages' | 'minigpt' | 'ministral3' | 'ministral3_reasoning' | 'mistral_default'
  | 'moss' | 'nemotron' | 'neural_hermes_mistral' | 'new/LM' | 'new/chatml' | 'new/codellama_completion' | 'new/codellama_instruct'
  | 'new/dolly' | 'new/gemma_instruction' | 'new/glm' | 'new/gorilla' | 'new/gpt2' | 'new/gpt_bigcode' | 'new/llama-2'
  | 'new/mistral_default' | 'new/neural_hermes_mistral' | 'new/oasst' | 'new/open_hermes_mistral' | 'new/orion' | 'new/phi-2'
  | 'new/redpajama_chat' | 'new/rwkv_world' | 'new/stablelm' | 'new/stablelm-2' | 'new/stablelm-3b' | 'new/wizard_coder_or_math'
  | 'new/wizardlm_7b' | 'oasst' | 'old/chatml' | 'old/moss' | 'olmo' | 'olmo2' | 'open_hermes_mistral' | 'orion' | 'phi-2' | 'phi-3'
  | 'phi-3-vision' | 'phi-4' | 'plain' | 'qwen' | 'qwen2' | 'qwen3' | 'qwen3_5' | 'qwen3_5_nothink' | 'redpajama_chat' | 'rwkv'
  | 'rwkv_world' | 'stablecode_completion' | 'stablecode_instruct' | 'stablelm' | 'stablelm-2' | 'stablelm-3b' | 'tinyllama_v1_0'
  | 'vicuna_v1.1' | 'wizard_coder_or_math' | 'wizardlm_7b'

/** The type of a model. */
// biome-ignore format: generated
export type ModelTypeName =
  | 'anthropic' | 'embedded' | 'gguf' | 'google' | 'openai'

/** What chooses examples. */
// biome-ignore format: generated
export type RetrieverName =
  | 'BM25Retriever' | 'DPPRetriever' | 'FixKRetriever' | 'MDLRetriever' | 'RandomRetriever' | 'SlidingWindowRetriever' | 'TopkRetriever'
  | 'VotekRetriever' | 'XiezhiRetriever' | 'ZeroRetriever'

/** The inferencer of a dataset. */
// biome-ignore format: generated
export type InferencerName =
  | 'CLPInferencer' | 'ChatInferencer' | 'GenInferencer' | 'LLInferencer' | 'LmEvalGenInferencer' | 'LmEvalLikelihoodInferencer'
  | 'LmEvalRequestInferencer' | 'PPLInferencer' | 'PPLOnlyInferencer'

/** What compares answers. */
// biome-ignore format: generated
export type EvaluatorName =
  | 'AGIEvalEvaluator' | 'AGIEvalEvaluator_mcq' | 'APPSEvaluator' | 'ARCPrizeEvaluator' | 'AUCROCEvaluator' | 'AccContaminationEvaluator'
  | 'AccDropEvaluator' | 'AccEvaluator' | 'AccScoreStr_Evaluator' | 'AccwithDetailsEvaluator' | 'AveragePPLEvaluator'
  | 'AverageRougeScoreEvaluator' | 'BBEHEvaluator' | 'BBEHEvaluator_mcq' | 'BBHEvaluator' | 'BBHEvaluator_mcq' | 'BFCLEvaluator'
  | 'BPCEvaluator' | 'BabiLongEvaluator' | 'BiodataAccEvaluator' | 'BiodataAucEvaluator' | 'BiodataMCCEvaluator'
  | 'BiodataMixedScoreEvaluator' | 'BiodataPCCEvaluator' | 'BiodataR2Evaluator' | 'BiodataSpearmanEvaluator' | 'BleuEvaluator'
  | 'CMP_GCP_D_Evaluator' | 'CMP_KSP_Evaluator' | 'CMP_TSP_D_Evaluator' | 'CRUXEvalOEvaluator' | 'CascadeEvaluator'
  | 'CharmMemoryEvaluator' | 'CharmReasonEvaluator' | 'ChecksEvaluator' | 'ChineseRougeEvaluator' | 'CircularDatasetEvaluator'
  | 'CircularEvaluator' | 'CircularOptionSimAccEvaluator' | 'CodeUEvaluator' | 'CrowspairsEvaluator' | 'DAPOMathEvaluator'
  | 'DAPOMathEvaluatorV2' | 'DocVQAEvaluator' | 'DropOpenAIEvaluator' | 'EDAccEvaluator' | 'ELBenchChoiceEvaluator'
  | 'ELBenchMathEvaluator' | 'EMEvaluator' | 'F1ScoreEvaluator' | 'FieldsEvaluator' | 'GPQAEvaluator' | 'GUE_Evaluator' | 'Game24Evaluator'
  | 'GaokaoBenchEvaluator' | 'GaokaoBenchEvaluator_cloze' | 'GaokaoBenchEvaluator_correction' | 'GaokaoBenchEvaluator_five_out_of_seven'
  | 'GaokaoBenchEvaluator_multi_choice' | 'GaokaoBenchEvaluator_multi_question_choice' | 'GaokaoBenchEvaluator_single_choice'
  | 'GaokaoBenchEvaluator_subjective' | 'GenericLLMEvaluator' | 'Gsm8kAgentEvaluator' | 'Gsm8kEvaluator' | 'HardGCPEvaluator'
  | 'Hard_MSP_Evaluator' | 'Hard_TSP_Evaluator' | 'HumanEvalEvaluator' | 'HumanEvalPlusEvaluator' | 'HumanevalProEvaluator' | 'IFEvaluator'
  | 'InfiniteBenchendiaEvaluator' | 'InfiniteBenchmathcalcEvaluator' | 'InfiniteBenchretrievekvEvaluator' | 'InfoVQAEvaluator'
  | 'InspectScorer' | 'JiebaRougeEvaluator' | 'JsonEvaluator' | 'JudgeEvaluator' | 'KaoshiEvaluator' | 'LCBCodeExecutionEvaluator'
  | 'LCBCodeGenerationEvaluator' | 'LCBTestOutputEvaluator' | 'LCPassKEvaluator' | 'LEvalEMEvaluator' | 'LLM4Mat_Evaluator'
  | 'LLMEvaluator' | 'LMEvaluator' | 'LVEvalF1Evaluator' | 'LVEvalOPTF1Evaluator' | 'LVEvalOPTRougeEvaluator' | 'LambadaEvaluator'
  | 'LawBenchEvaluator_1_2' | 'LawBenchEvaluator_2_10' | 'LawBenchEvaluator_2_2' | 'LawBenchEvaluator_2_3' | 'LawBenchEvaluator_2_4'
  | 'LawBenchEvaluator_2_5' | 'LawBenchEvaluator_2_6' | 'LawBenchEvaluator_2_8' | 'LawBenchEvaluator_2_9' | 'LawBenchEvaluator_3_3'
  | 'LawBenchEvaluator_3_6' | 'LawBenchEvaluator_3_7' | 'LiveMathBenchEvaluator' | 'LongBenchClassificationEvaluator'
  | 'LongBenchCodeSimEvaluator' | 'LongBenchCountEvaluator' | 'LongBenchF1Evaluator' | 'LongBenchRetrievalEvaluator'
  | 'LongBenchRougeEvaluator' | 'LongBenchv2Evaluator' | 'MAEEvaluator' | 'MATHAgentEvaluator' | 'MATHEvaluator' | 'MATHInternEvaluator'
  | 'MATHVerifyEvaluator' | 'MBPPEvaluator' | 'MBPPEvaluator2' | 'MBPPPassKEvaluator' | 'MBPPProEvaluator' | 'MGSM_Evaluator'
  | 'MMLUProBaseEvaluator' | 'MMStarEvaluator' | 'MRCREvaluator' | 'MarkedNumberEvaluator' | 'MastermathDatasetv1Evaluator'
  | 'MatbenchEvaluator_classification' | 'MatbenchEvaluator_classification_glass' | 'MatbenchEvaluator_regression' | 'Math401Evaluator'
  | 'MathEEDEvaluator' | 'MccEvaluator' | 'MedBenchEvaluator' | 'MedBenchEvaluator_Cloze' | 'MedBenchEvaluator_TF' | 'MedXpertQAEvaluator'
  | 'MedbulletsEvaluator' | 'MedmcqaEvaluator' | 'Mol_Instructions_Evaluator_Protein' | 'Mol_Instructions_Evaluator_Protein_Design'
  | 'MultiIFEvaluator' | 'MusrEvaluator' | 'NCElementMatchEvaluator' | 'NCExactMatchEvaluator' | 'NQEvaluator' | 'NQEvaluatorCN'
  | 'NeedleBenchATCEvaluator' | 'NeedleBenchMultiEvaluator' | 'NeedleBenchOriginEvaluator' | 'NeedleBenchOriginEvaluator_v2'
  | 'NeedleBenchParallelEvaluator' | 'NejmaibenchEvaluator' | 'NumberEvaluator' | 'OlympiadBenchEvaluator' | 'OpenFinDataKWEvaluator'
  | 'OpenSWIMSEEvaluator' | 'Opi_Evaluator' | 'OptionSimAccEvaluator' | 'PEERRuleEvaluator' | 'PEER_Evaluator' | 'PILLMEvaluator'
  | 'PMMEvalMGSMEvaluator' | 'PMMEvalMHellaswagEvaluator' | 'PMMEvalMLogiQAEvaluator' | 'PMMEvalMMMLUEvaluator' | 'PMMEvalXNLIEvaluator'
  | 'P_BSP_Evaluator' | 'P_EDP_Evaluator' | 'P_SPP_Evaluator' | 'PairwiseEvaluator' | 'ProcessBenchEvaluator' | 'PromptfooAssertions'
  | 'ProteinLMBenchEvaluator' | 'PythonEvaluator' | 'QuALITYEvaluator' | 'RMBEvaluator' | 'RMSEEvaluator' | 'RealworldQAEvaluator'
  | 'RougeEvaluator' | 'RulerCweEvaluator' | 'RulerFweEvaluator' | 'RulerNiahEvaluator' | 'RulerQaEvaluator' | 'RulerVtEvaluator'
  | 'S3EvalEvaluator' | 'SQuAD20Evaluator' | 'SciFiEvaluator' | 'SciKnowEvalEvaluator' | 'SciReasoner15DudeEvaluator'
  | 'SciReasoner15GOEvaluator' | 'SciReasoner15MaterialEvaluator' | 'SciReasoner15TMScoreEvaluator' | 'SquadEvaluator'
  | 'SuperGPQAEvaluator' | 'TACOEvaluator' | 'TEXTEvaluator' | 'TEXTEvaluatorForGlm4v' | 'TEvalEvaluator' | 'TabMWPEvaluator'
  | 'TextEvaluator' | 'TheoremQAEvaluatorV3' | 'ToolCallEvaluator' | 'TriviaQAEvaluator' | 'TydiQAEvaluator' | 'VideoBenchEvaluator'
  | 'VocalSoundEvaluator' | 'ZebraLogicGridEvaluator' | 'ZebraLogicMCEvaluator' | 'dropOpenAIEvaluator' | 'korbenchEvaluator'
  | 'needlebench_atc_evaluator' | 'needlebench_v2.origin.NeedleBenchOriginEvaluator'

/** What reads the answer in a reply. */
// biome-ignore format: generated
export type PostprocessorName =
  | 'GPQA_Simple_Eval_postprocess' | 'GUE_postprocessor' | 'InfiniteBench_first_number_postprocess' | 'LLM4Chem_postprocess'
  | 'LLM4Mat_postprocessor' | 'Mol_Instructions_postprocess_BioText' | 'Mol_Instructions_postprocess_Mol'
  | 'Mol_Instructions_postprocess_Protein' | 'Mol_Instructions_postprocess_Protein_Design' | 'PEER_postprocess'
  | 'PEER_postprocess_default' | 'PEER_postprocess_float_compare' | 'PythonPostprocessor' | 'RNA_postprocessor' | 'ReCoRD'
  | 'ReCoRD_postprocess' | 'Retrosynthesis_postprocess' | 'TheoremQA' | 'TheoremQA_postprocess' | 'TheoremQA_postprocess_v2'
  | 'TheoremQA_postprocess_v3' | 'TheoremQA_postprocess_v4' | 'UPG_postprocess' | 'Xsum' | 'Xsum_postprocess'
  | 'arxivrollbench_choice_postprocess' | 'arxivrollbench_selection_postprocess' | 'atlas_pred_postprocess' | 'bbeh_freeform'
  | 'bbeh_freeform_postprocess' | 'bbeh_mcq' | 'bbeh_mcq_postprocess' | 'bbh-freeform' | 'bbh-mcq' | 'bbh_freeform_postprocess'
  | 'bbh_mcq_postprocess' | 'charm-reason' | 'charm_reason_postprocess' | 'choice_answer' | 'clbench_pred_postprocess' | 'closed_answer'
  | 'cmrc' | 'cmrc_postprocess' | 'code_answer' | 'compassbench_objective_v1_3_postprocess' | 'crowspairs_postprocess'
  | 'cruxeval_o_postprocess' | 'dapo_math_postprocess' | 'dapo_math_postprocess_v2' | 'drcd' | 'drcd_postprocess' | 'ds1000'
  | 'ds1000_completion' | 'ds1000_completion_postprocess' | 'ds1000_matplotlib' | 'ds1000_matplotlib_postprocess' | 'ds1000_postprocess'
  | 'extract-non-reasoning-content' | 'extract_non_reasoning_content' | 'fenced' | 'final_number' | 'first-capital' | 'first-capital-multi'
  | 'first_capital_postprocess' | 'first_capital_postprocess_multi' | 'first_number' | 'first_number_postprocess' | 'first_option'
  | 'first_option_postprocess' | 'flores' | 'flores-chinese' | 'flores_postprocess' | 'flores_postprocess_chinese' | 'free_answer'
  | 'game24_postprocess' | 'general' | 'general_cn' | 'general_cn_postprocess' | 'general_postprocess' | 'generic_llmjudge_postprocess'
  | 'get_a_or_b' | 'gsm100' | 'gsm100_dataset' | 'gsm100_dataset_postprocess' | 'gsm100_postprocess' | 'gsm8k' | 'gsm8k_dataset'
  | 'gsm8k_dataset_postprocess' | 'gsm8k_postprocess' | 'humaneval_internal_v1_postprocess' | 'humaneval_internal_v2_postprocess'
  | 'humaneval_postprocess_v2' | 'humaneval_postprocess_v3' | 'last-capital' | 'last_capital_postprocess' | 'last_number' | 'last_option'
  | 'last_option_postprocess' | 'last_verdict' | 'lcsts' | 'lcsts_postprocess' | 'llmjudge_letter' | 'lsht_postprocess' | 'marked_number'
  | 'match_answer_pattern' | 'material_postprocessor' | 'math_intern_postprocess' | 'math_judement_preprocess' | 'math_postprocess'
  | 'math_postprocess_v2' | 'mathbench_postprocess' | 'mgsm' | 'mgsm_postprocess' | 'multiple-select' | 'multiple_select_postprocess'
  | 'my_multiple_select_postprocess' | 'mydataset_postprocess' | 'needlebench' | 'needlebench_atc_postprocess_v2' | 'needlebench_dataset'
  | 'needlebench_dataset_postprocess' | 'needlebench_postprocess' | 'olympiadbench_postprocess_v2' | 'opi_postprocess' | 'pmmeval_flores'
  | 'pmmeval_flores_postprocess' | 'pmmeval_mhellaswag' | 'pmmeval_mhellaswag_postprocess' | 'pmmeval_mifeval'
  | 'pmmeval_mifeval_postprocess' | 'pmmeval_mlogiqa' | 'pmmeval_mlogiqa_postprocess' | 'pmmeval_mmmlu' | 'pmmeval_mmmlu_postprocess'
  | 'pmmeval_xnli' | 'pmmeval_xnli_postprocess' | 'regex' | 'samsum_postprocess' | 'scibench' | 'scibench_postprocess' | 'smolinstruct-acc'
  | 'smolinstruct-acc-0shot' | 'smolinstruct_acc_0shot_postprocess' | 'smolinstruct_acc_postprocess' | 'specific-xml-tag' | 'strategyqa'
  | 'strategyqa_dataset' | 'strategyqa_dataset_postprocess' | 'strategyqa_pred_postprocess' | 'teval' | 'teval_postprocess' | 'think_pred'
  | 'think_pred_postprocess' | 'trec_postprocess' | 'triviaqa_postprocess' | 'xml_tag_postprocessor'

/** How rows are written in a file. */
// biome-ignore format: generated
export type RowFormatName =
  | 'bfcl' | 'choices' | 'choices_by_text' | 'choices_from_one' | 'four_choices' | 'messages' | 'sharegpt' | 'squad'
