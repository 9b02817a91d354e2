//! Long texts: their lines and rows, ways to see them, what is found in them.

pub(super) mod block;
pub(super) mod excerpt;
pub(super) mod find;
pub(super) mod lines;
pub(super) mod plain_text;
pub(super) mod pytest;
pub(super) mod rows;
pub(super) mod text_id;
pub(super) mod visible_space;
