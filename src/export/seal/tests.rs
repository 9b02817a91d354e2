//! What is said of a sealed report.

use super::*;

#[test]
fn what_is_left_out_is_said() {
    let wishes = SealWishes { transcripts: false, is_view: true, ..SealWishes::default() };
    assert_eq!(
        left_out(&wishes, Some(3), &Findings::new()),
        ["details of cases outside the filter", "transcripts", "raw records"]
    );
    assert_eq!(left_out(&SealWishes::default(), None, &Findings::new()), [""; 0]);
}
