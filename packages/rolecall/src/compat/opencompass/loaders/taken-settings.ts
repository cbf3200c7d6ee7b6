// Written by `npm run docs` from the loaders.

/** Settings of dataset classes (`?`: may be left out, `*`: any others, which are ignored), and the classes that take these. */
export const takenSettings = `
path name? split? data_files? *: HFDataset
path: JsonlDataset
path file_name? local_mode? *: CustomDataset
path file_name? local_mode? num_repeats? *: CodeCustomDataset
path file_name? local_mode?: ChatMLDataset
path: GSM8KDataset
path file_name? *: MATHDataset
path name with_circular?: MathBenchDataset
path *: Aime2024Dataset
path dataset_splits? dataset_languages? cot? version? *: LiveMathBenchDataset
path name *: OlympiadBenchDataset
path: MGSMSDataset TabMWPDataset
path name *: MMLUDataset MMLUArabicDataset
path category: MMLUProDataset
path name *: CMMLUDataset FinanceIQDataset
path name local_mode?: CEvalDataset
path name *: GPQADataset
path name setting_name: AGIEvalDataset AGIEvalDataset_v2
path name: ChemBenchDataset
path: CMBDataset
path name: CompassBenchObjectiveV1_3 KaoshiDataset
path index: LawBenchDataset
path prompt_mode? *: NejmaibenchDataset
path name: XiezhiDataset
path name circular_patterns? option_keys? answer_key?: CircularARCDataset
path name local_mode? circular_patterns? option_keys? answer_key?: CircularCEvalDataset
path name * circular_patterns? option_keys? answer_key?: CircularCMMLUDataset
path circular_patterns? option_keys? answer_key?: CircularCSQADataset
path file_name? local_mode? * circular_patterns? option_keys? answer_key?: CircularCustomDataset
path circular_patterns? option_keys? answer_key?: CircularHSWAGDataset
path name * circular_patterns? option_keys? answer_key?: CircularMMLUDataset
path name? circular_patterns? option_keys? answer_key?: CircularOBQADataset
path circular_patterns? option_keys? answer_key?: CircularPIQADataset
path name circular_patterns? option_keys? answer_key?: CircularRaceDataset
path name self_consistency_n? exclude_contrastive_examples? reverse_contrastive_sample? skip_ablated? randomize? offset? sample_size? *: MusrDataset
path name: ARCDataset ARCDatasetClean BBHDataset BBEHDataset CharmDataset
path: commonsenseqaDataset HellaswagDataset HellaswagDataset_V2 HellaswagDataset_V3 HellaswagDatasetwithICE lambadaDataset
path name?: OBQADataset OBQADatasetV2
path: PIQADataset PIQADatasetV2 PIQADatasetV3
path name: RaceDataset
path: siqaDataset siqaDataset_V2 SiqaDatasetV3 StrategyQADataset
path version: ARCPrizeDataset
path lang: StoryClozeDataset StoryClozeDatasetV2
path: WinograndeDataset WinograndeDatasetV2 WinograndeDatasetV3
path prompt_mode category *: korbenchDataset
path: CMP_TSP_D_Dataset
path libs? mode?: DS1000Dataset
path: Hard_TSP_Dataset
path file_name num_needles language repeats with_circular?: NeedleBenchATCDataset
path file_name num_needles language repeats: NeedleBenchATCOrderedDataset
path local_mode?: AFQMCDatasetV2
path: AnliDataset
path local_mode?: BoolQDatasetV2
path name? split? data_files? *: CHIDDataset CluewscDataset
path local_mode?: CMNLIDataset CMNLIDatasetV2 COPADatasetV2
path name? split? data_files? *: CslDataset
path: CslDatasetV2 SummeditsDataset_V2
path name? split? data_files? *: TNewsDataset WiCDataset
path local_mode?: WiCDatasetV2
path name? split? data_files? *: WSCDataset
path: WSCDatasetV3 DRCDDataset
path name: FloresFirst100Dataset
path: LCSTSDataset NaturalQuestionDataset NQOpenDataset SQuAD20Dataset TriviaQADataset TriviaQADatasetV2 DropOpenAIDataset
path num_examples? n_repeats? version? *: LiveStemBenchDataset
path: QuALITYDataset
path lang: TydiQADataset
path: XsumDataset
path name? split? data_files? *: IWSLT2017Dataset
path num_repeats? local_mode? with_evalplus?: HumanevalDataset
path language *: HumanevalXDataset
path? local_mode? cot?: LCBCodeExecutionDataset
path? local_mode? release_version? start_date? end_date? num_repeats?: LCBCodeGenerationDataset
path? local_mode?: LCBTestOutputPredictionDataset
path num_repeats? difficulty? local_mode?: LCDataset
path num_repeats? local_mode?: MBPPDataset MBPPDatasetV2
path num_repeats? with_evalplus?: MBPPPlusDataset
path num_repeats? local_mode?: SanitizedMBPPDataset xHumanevalDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depth num_needles diff guide? position? quesiton_position?: NeedleBenchMultiDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depth guide? position? quesiton_position?: NeedleBenchOriginDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depths guide? position? quesiton_position?: NeedleBenchParallelDataset
freq_cw? freq_ucw? num_cw? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerCweDataset
alpha? coded_wordlen? vocab_size? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerFweDataset
base_path file_path num_needle_k? num_needle_v? num_needle_q? type_haystack? type_needle_k? type_needle_v? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerNiahDataset
path dataset? pre_samples? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerQaDataset
num_chains? num_hops? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerVtDataset
path: InfiniteBenchmathfindDataset GovRepcrsDataset
path name: LongBench2wikimqaDataset LongBenchdureaderDataset LongBenchgov_reportDataset LongBenchhotpotqaDataset LongBenchlccDataset LongBenchlshtDataset LongBenchmulti_newsDataset LongBenchmultifieldqa_enDataset LongBenchmultifieldqa_zhDataset LongBenchmusiqueDataset LongBenchnarrativeqaDataset LongBenchpassage_countDataset LongBenchpassage_retrieval_enDataset LongBenchpassage_retrieval_zhDataset LongBenchqasperDataset LongBenchqmsumDataset LongBenchrepobenchDataset LongBenchsamsumDataset LongBenchtrecDataset LongBenchtriviaqaDataset
path: LongBenchv2Dataset
path name: LongBenchvcsumDataset
path task mini_set?: LLM4ChemDataset
path file_name *: EESEDataset
path: HungarianExamMathDataset
path *: IFEvalDataset
path name samples? *: InferencePPLDataset
path prompt_mode *: MedCalc_BenchDataset
path name: PHYSICSDataset ScibenchDataset
path name category? *: SciEvalDataset
path data_files *: SeedBenchDataset
path prompt_mode discipline? field? subfield? *: SuperGPQADataset
path: SVAMPDataset AdvMnliDataset AdvMnliMMDataset AdvQnliDataset AdvQqpDataset AdvRteDataset AdvSst2Dataset AiRiskDataset CValuesDataset PersonaDataset SafetyDataset SycophancyDataset
path? csv_filename? zip_filename?: AALCRDataset
path num_repeats?: APPSDataset APPS_miniDataset
path *: BeyondAIMEDataset
path prompt_mode *: CARDBiomedBenchDataset
path: CMPhysBenchDataset
path subset *: HealthBenchDataset
path name? split? language? instruction_type? max_samples?: InverseIFEvalDataset
path name *: MoleculariqDataset
path subset? experiment_filter? max_samples? *: PILLMDataset
path challenging_subset? *: RealToxicPromptsDataset
path: RoleGeneralizationEnglishDataset
path prompt_mode subset *: SciKnowEvalDataset
path num_repeats? difficulty?: TACODataset
path *: WinogradDataset
path config?: ZebraLogicDataset
path *: Aime2025Dataset Aime2026Dataset
path category test_ids?: BFCLDataset
path file_name? *: DAPOMathDataset
path with_parts?: DocVQADataset InfoVQADataset
path name: LEvalCodeUDataset LEvalSciFiDataset
path with_parts?: MMStarDataset
path image_type? with_parts?: RealworldQADataset
path image_type with_parts?: TEXTVQADataset
path video_type num_frames? with_parts?: VideoBenchDataset
path audio_type with_parts?: VocalSoundDataset
`
