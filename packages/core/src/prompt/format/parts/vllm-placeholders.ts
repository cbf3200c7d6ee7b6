import type { Placeholders } from './vllm.ts'

/**
 * What each multimodal model class of vLLM writes for media in a template that takes strings, with the architectures that use it. `{i}` is
 * the number of the item in the conversation; null: the model wants no text. A modality that is absent is not accepted.
 */
const table: readonly (readonly [Placeholders, string])[] = [
  [{ image: '<|fim_prefix|><|img|><|fim_suffix|>' }, 'AriaForConditionalGeneration'],
  [{ image: '<|image_pad|>' }, 'BagelForConditionalGeneration CheersForConditionalGeneration Cheers'],
  [
    { image: null },
    'Blip2ForConditionalGeneration CLIPEmbeddingModel CLIPModel Mistral3ForConditionalGeneration MolmoForCausalLM NemotronParseForConditionalGeneration OpenVLAForActionPrediction PaliGemmaForConditionalGeneration PixtralForConditionalGeneration SiglipEmbeddingModel SiglipModel Terratorch PrithviGeoSpatialMAE',
  ],
  [
    { image: '<image>' },
    'ChameleonForConditionalGeneration DeepseekOCRForCausalLM DeepseekOCR2ForCausalLM DeepseekVLV2ForCausalLM Eagle2_5_VLForConditionalGeneration Granite4VisionForConditionalGeneration Idefics3ForConditionalGeneration IsaacForConditionalGeneration KananaVForConditionalGeneration Lfm2VLForConditionalGeneration Lfm2VlForConditionalGeneration LlavaForConditionalGeneration LlavaNextForConditionalGeneration LlamaNemotronVLChatModel LlamaNemotronVLForSequenceClassification LlamaNemotronVLModel Llama_Nemotron_Nano_VL Ovis Phi4ForCausalLMV SkyworkR1VChatModel',
  ],
  [{ audio: null }, 'CohereAsrForConditionalGeneration WhisperForConditionalGeneration'],
  [
    { image: '<|vision_start|><|image_pad|><|vision_end|>', video: '<|vision_start|><|video_pad|><|vision_end|>' },
    'Cosmos3EdgeForConditionalGeneration BaseKeyeModule KeyeForConditionalGeneration LlavaOnevision2ForConditionalGeneration Qwen2_5_VLForConditionalGeneration Qwen2VLForConditionalGeneration Qwen3VLForConditionalGeneration',
  ],
  [{ image: '<image_soft_token>', video: '<|video|>' }, 'DiffusionGemmaForConditionalGeneration DiffusionGemmaForBlockDiffusion'],
  [{ image: '<|img|><|imgpad|><|endofimg|>', audio: null, video: null }, 'DotsOCRForCausalLM'],
  [
    { image: '<|IMAGE_START|><|image@placeholder|><|IMAGE_END|>', video: '<|VIDEO_START|><|video@placeholder|><|VIDEO_END|>' },
    'Ernie4_5_VLMoeForConditionalGeneration',
  ],
  [{ image: '<vision><|image_pad|></vision>', video: '<vision><|video_pad|></vision>' }, 'Exaone4_5_ForConditionalGeneration'],
  [{ audio: '<|audio_bos|><|AUDIO|><|audio_eos|>' }, 'FunAudioChatForConditionalGeneration MiDashengLMModel MossAudioModel'],
  [{ image: '<start_of_image>' }, 'Gemma3ForConditionalGeneration'],
  [{ image: '<image_soft_token>', audio: '<audio_soft_token>' }, 'Gemma3nForConditionalGeneration'],
  [{ image: '<image_soft_token>', audio: '<audio_soft_token>', video: '<|video|>' }, 'Gemma4ForConditionalGeneration'],
  [
    { image: '<|begin_of_image|><|image|><|end_of_image|>', video: '<|begin_of_video|><|video|><|end_of_video|>' },
    'Glm4vForConditionalGeneration Glm4vMoeForConditionalGeneration',
  ],
  [{ image: '<|begin_of_image|><|endoftext|><|end_of_image|>' }, 'GLM4VForCausalLM'],
  [{ audio: '<|begin_of_audio|><|pad|><|end_of_audio|>' }, 'GlmAsrForConditionalGeneration'],
  [{ audio: '<|audio|>' }, 'GraniteSpeechForConditionalGeneration UltravoxModel'],
  [{ image: '<｜hy_place▁holder▁no▁100｜><｜hy_place▁holder▁no▁102｜><｜hy_place▁holder▁no▁101｜>' }, 'HunYuanVLForConditionalGeneration'],
  [{ image: '<|dummy3|>', video: '<|_unuse_missing_100270|>' }, 'HCXVisionForCausalLM'],
  [{ image: '<|image_start|><|IMAGE_PAD|><|image_end|>', video: '<|video_start|><|VIDEO_PAD|><|video_end|>' }, 'HCXVisionV2ForCausalLM'],
  [{ image: '<IMG_CONTEXT>', video: '<video>' }, 'InternS1ForConditionalGeneration InternVLForConditionalGeneration'],
  [
    { image: '<image>', video: '<video>' },
    'InternVLChatModel LlavaOnevisionForConditionalGeneration NemotronH_Nano_VL_V2 NemotronH_Nano_Omni_Reasoning_V3 NemotronH_Omni_Reasoning_V3 NemotronH_Super_Omni_Reasoning_V3 Ovis2_5 Ovis2_6ForCausalLM Ovis2_6_MoeForCausalLM',
  ],
  [{ image: '<|vision_start|><|image_pad|><|vision_end|>' }, 'JinaVLForSequenceClassification JinaVLForRanking'],
  [
    { image: null, audio: '<|im_media_begin|><|im_kimia_text_blank|><|im_media_end|>', video: null },
    'KimiAudioForConditionalGeneration MoonshotKimiaForCausalLM',
  ],
  [
    { image: '<|media_begin|>image<|media_content|><|media_pad|><|media_end|>', video: '<|kimi_k25_video_placeholder|>' },
    'KimiK25ForConditionalGeneration',
  ],
  [{ image: '<|media_start|>image<|media_content|><|media_pad|><|media_end|>' }, 'KimiVLForConditionalGeneration'],
  [{ video: '<video>' }, 'LlavaNextVideoForConditionalGeneration'],
  [
    {
      image: '<|vision_start|><|image_pad|><|vision_end|>',
      audio: '<|mimo_audio_start|><|audio_pad|><|mimo_audio_end|>',
      video: '<|vision_start|><|video_pad|><|vision_end|>',
    },
    'MiMoV2OmniForCausalLM',
  ],
  [{ image: '(<image>./</image>)', audio: '(<audio>./</audio>)', video: '(<video>./</video>)' }, 'MiniCPMOBaseModel MiniCPMO'],
  [{ image: '(<image>./</image>)', video: '(<video>./</video>)' }, 'MiniCPMVBaseModel MiniCPMV'],
  [{ image: '<|image_pad|>', video: '<|video_pad|>' }, 'MiniCPMV4_6ForConditionalGeneration'],
  [{ image: '<|image|>' }, 'Llama4ForConditionalGeneration'],
  [{ image: '<|image|>', video: '<|video|>' }, 'Molmo2ForConditionalGeneration'],
  [{ image: '<image>', audio: null, video: null }, 'Moondream3ForCausalLM HfMoondream'],
  [{ image: null, audio: '<|audio_start|><|audio_pad|><|audio_end|>', video: null }, 'MossTranscribeDiarizeForConditionalGeneration'],
  [{ image: '<|patch|>', video: '<|video|>' }, 'MuseGlimmerForCausalLM MuseGlimmerForConditionalGeneration'],
  [{ image: '<|media_placeholder|>' }, 'OpenCUAForConditionalGeneration'],
  [{ image: '[unused18][unused19][unused20]', video: '[unused18][unused32][unused20]' }, 'OpenPanguVLForConditionalGeneration'],
  [{ image: '<|IMAGE_START|><|IMAGE_PLACEHOLDER|><|IMAGE_END|>' }, 'PaddleOCRVLForConditionalGeneration'],
  [{ image: '<|image_{i}|>' }, 'Phi3VForCausalLM'],
  [{ image: '<|image_{i}|>', audio: '<|audio_{i}|>' }, 'Phi4MMForCausalLM'],
  [
    {
      image: '<|vision_start|><|IMAGE|><|vision_end|>',
      audio: 'Audio {i}: <|audio_bos|><|AUDIO|><|audio_eos|>',
      video: '<|vision_start|><|VIDEO|><|vision_end|>',
    },
    'Qwen2_5OmniThinkerForConditionalGeneration Qwen2_5OmniForConditionalGeneration Qwen2_5OmniModel',
  ],
  [{ audio: 'Audio {i}: <|audio_bos|><|AUDIO|><|audio_eos|>' }, 'Qwen2AudioForConditionalGeneration'],
  [{ audio: '<|audio_start|><|audio_pad|><|audio_end|>' }, 'Qwen3ASRForConditionalGeneration'],
  [
    {
      image: '<|vision_start|><|image_pad|><|vision_end|>',
      audio: '<|audio_start|><|audio_pad|><|audio_end|>',
      video: '<|vision_start|><|video_pad|><|vision_end|>',
    },
    'Qwen3OmniMoeThinkerForConditionalGeneration Qwen3OmniMoeForConditionalGeneration',
  ],
  [{ image: '<im_patch>' }, 'Step3VLForConditionalGeneration'],
]

/**
 * The placeholders of a model, by its vLLM class or its architecture (`architectures` in config.json); undefined if unknown.
 *
 * @example
 * placeholdersOf('Phi3VForCausalLM') // => { image: '<|image_{i}|>' }
 */
export function placeholdersOf(name: string): Placeholders | undefined {
  return table.find(([, names]) => names.split(' ').includes(name))?.[0]
}

/** The names under which placeholders are known. */
export function placeholderModels(): string[] {
  return table.flatMap(([, names]) => names.split(' '))
}
