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
path: MATHInternDataset
path name with_circular?: MathBenchDataset
path *: Aime2024Dataset CMOFibDataset
path dataset_splits? dataset_languages? cot? version? *: LiveMathBenchDataset
path subset: OlymMATHDataset
*: OmniMathDataset
path category?: HLEDataset
path: TheoremQADataset
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
path name local_mode?: CEvalDatasetClean
path name *: MMLUDatasetClean
path filename name: GaokaoBenchDataset WikiBenchDataset
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
path: commonsenseqaDataset CommonsenseQADataset_CN HellaswagDataset HellaswagDatasetClean HellaswagDataset_V2 HellaswagDataset_V3 HellaswagDatasetwithICE lambadaDataset
path name?: OBQADataset OBQADatasetV2
path: PIQADataset PIQADatasetV2 PIQADatasetV3
path name: RaceDataset
path: siqaDataset siqaDataset_V2 SiqaDatasetV3 StrategyQADataset
path version: ARCPrizeDataset
path lang: StoryClozeDataset StoryClozeDatasetV2
path: WinograndeDataset WinograndeDatasetV2 WinograndeDatasetV3
path task split_name: BabiLongDataset
path prompt_mode category *: korbenchDataset
path internet_check?: CIBenchDataset
path: CMP_GCP_D_Dataset CMP_KSP_Dataset CMP_TSP_D_Dataset
path libs? mode?: DS1000Dataset
path: Hard_MSP_Dataset Hard_TSP_Dataset HardGCPDataset
path file_name num_needles language repeats with_circular?: NeedleBenchATCDataset
path file_name num_needles language repeats: NeedleBenchATCOrderedDataset
path: P_BSP_Dataset P_EDP_Dataset P_SPP_Dataset
path local_mode?: AFQMCDatasetV2
path: AnliDataset
path local_mode?: AXDatasetV2
path name? split? data_files? *: BoolQDataset
path local_mode?: BoolQDatasetV2
path: BoolQDatasetV3 C3Dataset C3Dataset_V2
path local_mode?: CBDatasetV2
path name? split? data_files? *: CHIDDataset
path: CHIDDatasetV2
path name? split? data_files? *: CluewscDataset
path: CluewscDatasetV2
path local_mode?: CMNLIDataset CMNLIDatasetV2 COPADatasetV2
path name? split? data_files? *: CslDataset
path: CslDatasetV2 EprstmtDatasetV2 MultiRCDataset MultiRCDatasetV2 ReCoRDDataset ReCoRDDatasetV2 SummeditsDataset_V2
path name? split? data_files? *: TNewsDataset
path: TNewsDatasetV2
path name? split? data_files? *: WiCDataset
path local_mode?: WiCDatasetV2
path name? split? data_files? *: WSCDataset
path: WSCDatasetV2 WSCDatasetV3 CMRCDataset DRCDDataset
path name: FloresFirst100Dataset
path: LCSTSDataset NarrativeQADataset NaturalQuestionDataset NaturalQuestionDatasetCN NQOpenDataset QASPERCUTDataset QASPERDataset
path num_examples? n_repeats? *: SimpleQADataset
path: SQuAD20Dataset SummScreenDataset TriviaQADataset TriviaQADatasetV2 TriviaQADatasetV3 DropOpenAIDataset
path num_examples? n_repeats? version? *: LiveStemBenchDataset
path: QuALITYDataset TriviaQArcDataset
path lang: TydiQADataset
path: XsumDataset
path name? split? data_files? *: IWSLT2017Dataset
path name: MMMLUDataset MMMLULiteDataset
path lang_fullname: PMMEvalFloresDataset
path lang program_lang: PMMEvalHumanEvalXLDataset
path lang: PMMEvalMGSMDataset PMMEvalMHellaswagDataset PMMEvalMIFEvalDataset PMMEvalMLogiQADataset
path lang difficulty: PMMEvalMMMLUDataset
path lang: PMMEvalXNLIDataset
path? local_mode? release_version? dataset_version?: BigCodeBenchDataset
path num_repeats? local_mode? with_evalplus?: HumanevalDataset
path num_repeats? local_mode?: HumanevalevalProDataset
path language version num_repeats? local_mode?: HumanevalMultiDataset
path language *: HumanevalXDataset
path? local_mode? cot?: LCBCodeExecutionDataset
path? local_mode? release_version? start_date? end_date? num_repeats?: LCBCodeGenerationDataset
path: LCBProDataset
path? local_mode?: LCBTestOutputPredictionDataset
path num_repeats? difficulty? local_mode?: LCDataset
path num_repeats? local_mode?: MBPPDataset MBPPDatasetV2
path num_repeats? with_evalplus?: MBPPPlusDataset
path num_repeats? local_mode?: MBPPProDataset
path language num_repeats? tag? local_mode?: MultiplEDataset
path: Py150Dataset
path num_repeats? local_mode?: SanitizedMBPPDataset
path with_bg *: SciCodeDataset
path num_repeats? local_mode?: xHumanevalDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depth num_needles diff guide? position? quesiton_position?: NeedleBenchMultiDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depth guide? position? quesiton_position?: NeedleBenchOriginDataset
path length tokenizer_model file_list num_repeats_per_file length_buffer language needle_file_name depths guide? position? quesiton_position?: NeedleBenchParallelDataset
freq_cw? freq_ucw? num_cw? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerCweDataset
alpha? coded_wordlen? vocab_size? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerFweDataset
base_path file_path num_needle_k? num_needle_v? num_needle_q? type_haystack? type_needle_k? type_needle_v? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerNiahDataset
path dataset? pre_samples? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerQaDataset
num_chains? num_hops? max_seq_length? tokenizer_model? template? tokens_to_generate? num_samples? random_seed? remove_newline_tab?: RulerVtDataset
path: InfiniteBenchcodedebugDataset InfiniteBenchcoderunDataset InfiniteBenchendiaDataset InfiniteBenchenmcDataset InfiniteBenchenqaDataset InfiniteBenchensumDataset InfiniteBenchmathcalcDataset InfiniteBenchmathfindDataset InfiniteBenchretrievekvDataset InfiniteBenchretrievenumberDataset InfiniteBenchretrievepasskeyDataset InfiniteBenchzhqaDataset GovRepcrsDataset
path name: LEvalCourseraDataset LEvalFinancialQADataset LEvalGovReportSummDataset LEvalGSM100Dataset LEvalLegalContractQADataset LEvalMeetingSummDataset LEvalMultidocQADataset LEvalNarrativeQADataset LEvalNaturalQuestionDataset LEvalNewsSummDataset LEvalPaperAssistantDataset LEvalPatentSummDataset LEvalQualityDataset LEvalReviewSummDataset LEvalScientificQADataset LEvalTopicRetrievalDataset LEvalTPODataset LEvalTVShowSummDataset LongBench2wikimqaDataset LongBenchdureaderDataset LongBenchgov_reportDataset LongBenchhotpotqaDataset LongBenchlccDataset LongBenchlshtDataset LongBenchmulti_newsDataset LongBenchmultifieldqa_enDataset LongBenchmultifieldqa_zhDataset LongBenchmusiqueDataset LongBenchnarrativeqaDataset LongBenchpassage_countDataset LongBenchpassage_retrieval_enDataset LongBenchpassage_retrieval_zhDataset LongBenchqasperDataset LongBenchqmsumDataset LongBenchrepobenchDataset LongBenchsamsumDataset LongBenchtrecDataset LongBenchtriviaqaDataset
path: LongBenchv2Dataset
path name: LongBenchvcsumDataset LVEvalcmrcDataset LVEvaldureaderDataset LVEvalfactrecallenDataset LVEvalfactrecallzhDataset LVEvalhotpotwikiqaDataset LVEvallicDataset LVEvallooglecrDataset LVEvallooglemirDataset LVEvallooglesdDataset LVEvalmultifieldqaenDataset LVEvalmultifieldqazhDataset
path task mini_set?: Bioinstruction_Dataset
path mini_set?: Bulk_modulus_material_Dataset Composition_material_Dataset
path task mini_set?: GUE_Dataset LLM4ChemDataset
path train_path test_path property mini_set?: LLM4MatDataset
path task mini_set?: Mol_Instructions_Dataset Mol_Instructions_Dataset_BioText Mol_Instructions_Dataset_Protein_Design OpiDataset PEER_Dataset
path name task_family? subtask? max_samples? *: S2TOMGBenchDataset
path name task_type source? property_name? mini_set? sample_size? seed? *: SciReasoner15Dataset
num prompt *: Uncond_material_Dataset Uncond_RNA_Dataset
path task mini_set?: BiodataTaskDataset
path: ChemExamDataset
path task: ClimaQADataset
path *: CRUXEvalDataset
path only_number?: dropDataset
path *: Earth_Silver_MCQDataset
path file_name *: EESEDataset
path: GaoKaoMATHDataset GSMHardDataset HungarianExamMathDataset
path *: IFEvalDataset
path name samples? *: InferencePPLDataset
path sandbox local_mode?: InternSandboxDataset
path *: KCLEDataset
path version? *: LiveReasonBenchDataset
path name samples? *: LLMCompressionDataset
path name: MastermathDatasetv1
path task *: MatbenchDataset
test_path answer_path?: MaxminDataset
path prompt_mode *: MedbulletsDataset MedCalc_BenchDataset MedmcqaDataset MedXpertQADataset
path name: MolInstructionsDataset
path: MP20Dataset
path subset *: MRCRDataset
path *: OJBenchDataset
path name: OpenFinDataDataset OpenSWIDataset
path: PhyBenchDataset
path name: PHYSICSDataset
path *: ProteinLMBenchDataset
path name subset *: RBenchDataset
path name: ScibenchDataset
path name category? *: SciEvalDataset
path data_files *: SeedBenchDataset
path name mini_set?: SmolInstructDataset
path prompt_mode discipline? field? subfield? *: SuperGPQADataset
path: SVAMPDataset TheoremQADatasetV3
path name *: TruthfulQADataset
path: AdvMnliDataset AdvMnliMMDataset AdvQnliDataset AdvQqpDataset AdvRteDataset AdvSst2Dataset AiRiskDataset
path *: CrowspairsDataset
path: CrowspairsDatasetCN
path *: CrowspairsDatasetV2
path: CValuesDataset
path *: DingoDataset
path label lang: JigsawMultilingualDataset
path: PersonaDataset SafetyDataset SycophancyDataset
path name *: AlignmentBenchDataset AlpacaEvalDataset ArenaHardDataset CompassArenaDataset CompassBenchCheklistDataset ELBenchGeneralDataset ELBenchHighLevelEduDataset ELBenchHighLevelOmniDataset ELBenchSafetyDataset FlamesDataset FofoDataset
path name * cate: FollowBenchDataset
path category_name *: HelloBenchDataset
path name *: JudgeBenchDataset RewardBenchDataset RMBDataset SubjectiveCmpDataset
path *: MultiIFDataset
path name *: WritingBenchDataset
path *: FakeAlignmentDataset
path name: TEvalDataset
path name *: CompassArenaSubjectiveBench CompassBenchControlLengthBiasDataset CompassBenchDataset CsimpleqaDataset
path name wording? *: MTBench101Dataset MTBench101WithRawPromptDataset
path name judge_type? multi_turn? wording? *: MTBenchDataset
path K? eval_mode? *: WildBenchDataset WildBenchWithRawPromptDataset
path? csv_filename? zip_filename?: AALCRDataset
path name? *: AdvancedIFDataset
path num_repeats?: APPSDataset APPS_miniDataset
split?: ATLASDataset
path *: BeyondAIMEDataset
path name: BuySideFinBenchDataset
path prompt_mode *: CARDBiomedBenchDataset
path? split? *: CLBenchDataset
path *: CivilCommentsDataset
path: CMPhysBenchDataset ClinicBenchDataset Game24Dataset
path subset *: HealthBenchDataset
path verified_classes? category?: HLEVerifiedDataset
path: InstructionGeneralizationChineseDataset InstructionGeneralizationEnglishDataset
path name? split? language? instruction_type? max_samples?: InverseIFEvalDataset
path name setting_name: MedBenchDataset
path: MedQADataset
path name: MMLUCFDataset
path name *: MoleculariqDataset
path name: PerspectiveGapDataset
path subset? experiment_filter? max_samples? *: PILLMDataset
path subset *: ProcessBenchEvalDataset
path: PubMedQADataset
path challenging_subset? *: RealToxicPromptsDataset
path: RoleGeneralizationEnglishDataset S3EvalDataset
path prompt_mode subset *: SciKnowEvalDataset
path: ScienceQADataset
path num_repeats? difficulty?: TACODataset
path *: WinogradDataset wnliDataset XCOPADataset XLSUMDataset
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
