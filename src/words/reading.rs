//! Words of cases and documents as they are read: transcripts, differences, checks.
