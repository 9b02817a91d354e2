mod input;
fn main() {}
