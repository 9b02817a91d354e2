//! Stub until the page lands.

fn main() {}
