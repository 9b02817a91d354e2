//! What is said of a sealed report.

use super::*;

#[test]
fn what_is_left_out_is_said() {
    let wishes =
        SealWishes::from_form(r#"{"transcripts": false, "view": true, "made": "now"}"#).unwrap();
    assert_eq!(
        (wishes.is_view, wishes.details, wishes.raw, wishes.made.as_str()),
        (true, true, true, "now")
    );
    assert_eq!(
        left_out(&wishes, Some(3), &Findings::new()),
        ["details of cases outside the filter", "transcripts", "raw records"]
    );
    assert_eq!(left_out(&SealWishes::default(), None, &Findings::new()), [""; 0]);
    assert_eq!(SealWishes::from_form("[]"), None);
    assert_eq!(SealWishes::from_form("{}"), Some(SealWishes::default()));
}
