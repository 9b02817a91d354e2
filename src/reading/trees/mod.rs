//! JSON texts as trees, and requests and responses of HTTP.

pub(super) mod api;
pub(super) mod plain_tree;
pub(super) mod tree;
