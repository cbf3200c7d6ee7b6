/** Where embeddings come from: an endpoint, or the offline sentence encoder. */
export type EmbeddingSource = { base_url: string; model: string } | 'energetic-ai'
