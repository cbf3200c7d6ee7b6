/** Classes of OpenCompass and AISBench that are refused, by what they would need. */
export const unavailable: readonly { needs: string; names: readonly string[] }[] = [
  {
    needs: 'it sends programs to a service that runs them, in languages or with packages that the Python sandbox does not have',
    names: words(`BigCodeBenchEvaluator HumanevalXEvaluator HumanevalMultiEvaluator MultiplEEvaluator PMMEvalHumanEvalXLEvaluator
      LCBProEvaluator DS1000ServiceEvaluator CodeCompassEvaluator`),
  },
  {
    needs: 'it runs tests that need scientific Python packages, which the Python sandbox does not have',
    names: words('DS1000Evaluator SciCodeEvaluator DS1000InterpreterEvaluator CIBenchEvaluator'),
  },
  {
    needs: 'it needs chemistry or materials software (rdkit, selfies, smact, pymatgen)',
    names: words(`FTSEvaluator LLM4Chem_Evaluator RetrosynthesisEvaluator Mol_Instructions_Evaluator_Mol UMG_Evaluator MP20Evaluator
      composition_Evaluator material_Evaluator uncond_material_Evaluator S2TOMGBenchEvaluator MoleculariqCountEvaluator
      MoleculariqIndexEvaluator MoleculariqGenerationEvaluator`),
  },
  {
    needs: 'it needs WordNet’s data for METEOR',
    names: ['MeteorEvaluator'],
  },
  {
    needs: 'it needs biology programs or models on a GPU (omegafold, RNAfold, cmscan, torch)',
    names: words('UPG_Evaluator RNA_Evaluator bio_instruction_Evaluator BiodataECNumberEvaluator'),
  },
  {
    needs: 'it scores with another neural network (BERTScore, BLEURT, a reward or vision model) that would have to run here',
    names: words('Mol_Instructions_Evaluator_BioText TruthfulQAEvaluator LMMJudgeImageEditEvaluator'),
  },
  {
    needs: 'it queries Google’s Perspective API',
    names: ['ToxicEvaluator'],
  },
  {
    needs: 'it needs a Python package that only its benchmark has',
    names: words(`InternSandboxEvaluator DingoEvaluator PerspectiveGapPromptWritingEvaluator PerspectiveGapRoleAssignmentEvaluator
      CaLMEvaluator`),
  },
  {
    needs: 'it compares formulas with sympy, beyond what is computed here',
    names: words('CMPhysBenchEvaluator SRbenchDatasetEvaluator'),
  },
  {
    needs: 'it runs an agent of the Python package lagent, which the model entry of the config describes',
    names: ['AgentInferencer'],
  },
  {
    needs: 'it searches for worse prompts with the Python package promptbench',
    names: ['AttackInferencer'],
  },
  {
    needs: 'it scores all rows as one text in sliding windows of tokens; use PPLOnlyInferencer with BPCEvaluator for rows on their own',
    names: ['SWCELossInferencer'],
  },
  {
    needs: 'it searches a tree of thoughts with Python classes of its benchmark',
    names: ['ToTInferencer'],
  },
  {
    needs: 'it takes the loss of each token from a model class that loads the weights; PPLOnlyInferencer gives the perplexity of a text',
    names: ['InferencePPLOnlyInferencer'],
  },
  {
    needs: 'it sends a judge several questions about each answer through its own client',
    names: words('HealthBenchEvaluator FakeAlignmentJudgeEvaluator OmniMathEvaluator'),
  },
  {
    needs: 'it needs NLTK’s data and the Python packages of its checks',
    names: ['IFBenchEvaluator'],
  },
  {
    needs: 'it counts the SentencePiece tokens of Flores-200, which the Python package sacrebleu downloads',
    names: ['BleuFloresEvaluator'],
  },
  {
    needs: 'it runs the program ChERRANT, which compares corrections of Chinese texts',
    names: ['LawBenchEvaluator_2_1'],
  },
  {
    needs: 'it compares with a ranking of models that is in OpenCompass’s code',
    names: ['Judgerbenchv2Evaluator'],
  },
  {
    needs: 'it runs the calls of several turns, or compares calls as source text of Java or JavaScript',
    names: words('BFCLMultiTurnEvaluator BFCLSingleTurnEvaluator BFCLV3FunctionCallInferencer'),
  },
  {
    needs: 'it needs image sizes, and images that are encoded anew',
    names: ['BBoxIoUEvaluator'],
  },
  {
    needs: 'it measures speed and gives no score of the answers',
    names: words('MMCustomEvaluator ShareGPTEvaluator MTBenchEvaluator MooncakeTraceEvaluator'),
  },
]

/** The same by name. */
export const unavailableNames: Readonly<Record<string, string>> = Object.fromEntries(
  unavailable.flatMap(({ needs, names }) => names.map((name) => [name, needs])),
)

function words(text: string): string[] {
  return text.split(/\s+/)
}
