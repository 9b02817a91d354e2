//! Times in names of files, by which files of one run belong together.

/// `2026-11-22T10-44-13.598147` at the end of a name.
pub(super) fn time_of(name: &str) -> Option<&str> {
    let ends = [".jsonl", ".json", ".parquet"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let (_, time) = stem.rsplit_once('_')?;
    let is_time = time.len() >= 19
        && time.as_bytes().get(10) == Some(&b'T')
        && time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'T' | b'.'));
    is_time.then_some(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_at_the_end_of_a_name_is_found() {
        let time = Some("2026-11-22T10-44-13.598147");
        assert_eq!(time_of("samples_local_mc2_2026-11-22T10-44-13.598147.jsonl"), time);
        assert_eq!(time_of("details_local_mc|0_2026-11-22T10-44-13.598147.parquet"), time);
        assert_eq!((time_of("unknown"), time_of("results_2026-11-22.json")), (None, None));
    }
}
