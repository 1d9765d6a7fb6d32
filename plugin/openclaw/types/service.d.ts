/** The shapes of the service's answers and requests. Answers may contain more fields than are declared here. */

export interface Memory {
  id: string;
  text: string;
  category: string;
  tier: string;
  path: string;
  /** 1-based, inclusive: exactly the memory's own lines in the current file. */
  line_start: number;
  line_end: number;
  heading: string[];
  forgotten: boolean;
  missing: boolean;
  private: boolean;
  trust_tier: string;
  superseded_by: string | null;
}

export interface Hit extends Memory {
  score: number;
  /** How likely it answers the query, from 0 to 1. */
  similarity: number;
  text_score: number;
  vector_score: number;
}

export interface RecallAnswer {
  /** The text to put before the prompt; empty if there is nothing to add. */
  context: string;
  hits: Hit[];
  skipped: string | null;
  folder?: string;
  files: ServedFile[];
}

export interface SearchAnswer {
  hits: Hit[];
  /** By lane: `ok`, or the reason why the lane is unavailable. */
  lanes: Record<string, string>;
}

export interface ServedFile {
  path: string;
  content: string;
  /** The number of memories that were removed. */
  redacted: number;
  missing?: boolean;
  /** Of the file's bytes; left out for a user of the identities. */
  hash?: string;
}

export interface CaptureAnswer {
  stored: Memory[];
  skipped: { key: string; reason: string; not_kept?: string }[];
}

export interface Workspace {
  name: string;
  path: string;
}

export interface WorkspaceStatus extends Workspace {
  files: number;
  memories: number;
  /** No change on the disk is known that is not indexed. */
  fresh: boolean;
  error?: string;
  embedding: { provider: string; model: string; dim: number; error?: string };
}
