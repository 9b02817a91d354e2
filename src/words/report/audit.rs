//! Words: what the audit, the notes and Failures say.
