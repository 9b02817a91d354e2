//! Where in a text an engine's place is.

/// The place at `line` and `column` of `text`, both from 1 and counted in characters, in units of UTF-16, as browsers count.
pub fn unit_of_place(text: &str, (line, column): (u64, u64)) -> u32 {
    let mut units = 0;
    for (nth, one) in (1..).zip(text.split('\n')) {
        if nth == line {
            let before =
                one.chars().take(usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX));
            units += before.map(char::len_utf16).sum::<usize>();
            break;
        }
        units += one.encode_utf16().count() + 1;
    }
    u32::try_from(units.min(text.encode_utf16().count())).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::unit_of_place;

    #[test]
    fn places_count_as_browsers_do() {
        let text = "SELECT '😀'\nFROM x";
        assert_eq!(unit_of_place(text, (1, 1)), 0);
        assert_eq!(unit_of_place(text, (1, 10)), 10, "the face is two units");
        assert_eq!(unit_of_place(text, (2, 6)), 17);
        assert_eq!(unit_of_place(text, (9, 9)), 18, "past the end is the end");
    }
}
