//! Which section of a long page is being read.

/// The section to be marked, of those in sight (`seen`): what was `chosen` last as long as it is in sight, else
/// the first one of the wide column (`main`), else the first one at all. Where none is in sight, what was
/// marked stays.
pub fn current(seen: &[bool], main: &[bool], chosen: Option<usize>, marked: usize) -> usize {
    let is_seen = |at: usize| seen.get(at).copied().unwrap_or_default();
    let in_main = |at: usize| main.get(at).copied().unwrap_or_default();
    let all = || (0..seen.len()).filter(|&at| is_seen(at));
    chosen
        .filter(|&at| is_seen(at))
        .or_else(|| all().find(|&at| in_main(at)))
        .or_else(|| all().next())
        .unwrap_or(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wide_column_is_followed_unless_another_section_was_chosen() {
        let main = [true, false, true];
        assert_eq!(current(&[false, true, true], &main, None, 0), 2);
        assert_eq!(current(&[false, true, true], &main, Some(1), 0), 1);
        assert_eq!(current(&[true, false, false], &main, Some(1), 2), 0);
        assert_eq!(current(&[false, true, false], &main, None, 0), 1);
        assert_eq!(current(&[false; 3], &main, Some(1), 2), 2);
    }
}
