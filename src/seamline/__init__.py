"""Cut documents for retrieval, measure the cuts, decide."""
