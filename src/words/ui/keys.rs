//! Words of the list of keys.

/// Keys, and what each does.
pub const KEYS: [(&str, &str); 19] = [
    ("?", "this list"),
    ("Ctrl K  ⌘ K", "find a page, run, case or action"),
    ("1 … 8", "the pages, in the order of the bar"),
    ("c", "compare"),
    ("/", "search the cases; on Compare, the pairs"),
    ("j  k  ↓  ↑", "next or previous row or case"),
    ("Page Up/Down, Home, End", "far through the table"),
    ("Enter", "open the case"),
    ("Space  Shift ↓ ↑  Ctrl A", "select rows of the table"),
    ("Ctrl C", "copy the selected rows"),
    ("Shift ← →  Ctrl Shift ← →", "on a heading: make the column wider, move it"),
    ("Esc", "back to the table; clear the search"),
    ("←  →", "fold or unfold an evaluation in the workspace"),
    ("Del", "remove an evaluation from the workspace"),
    ("F2", "rename what is selected"),
    ("o", "open files"),
    ("u", "undo the last removal"),
    (",", "settings"),
    ("t", "system, light or dark colours"),
];
