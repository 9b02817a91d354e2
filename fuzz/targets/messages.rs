//! Messages between programs: what is no message is refused, and what is one is answered.

use super::files;
use evalglass::worker::protocol::{Request, Task, ToPage, ToWorker, from_bytes, to_bytes};

const ROWS: &str = "id,score,passed,model,error\na,0.5,true,m,\nb,,false,n,timeout\n";

/// Bytes as a message of the page or the worker; a request is answered.
pub fn messages(input: &[u8]) {
    if let Ok(message) = from_bytes::<ToPage>(input) {
        let written = to_bytes(&message).expect("what was read can be written");
        let again = from_bytes::<ToPage>(&written).expect("what was written can be read");
        assert_eq!(to_bytes(&again).ok(), Some(written), "a message reads otherwise");
    }
    let Ok(message) = from_bytes::<ToWorker>(input) else { return };
    let written = to_bytes(&message).expect("what was read can be written");
    assert!(from_bytes::<ToWorker>(&written).is_ok(), "a message reads otherwise");
    // Files follow these two in messages of their own.
    if matches!(message.request, Request::Task(Task::Open { .. } | Task::Reload { .. })) {
        return;
    }
    let (core, _) = files::core_of(vec![files::file("a.csv", ROWS.as_bytes())]);
    let answer = core.answer(message.request);
    assert!(to_bytes(&answer).is_ok(), "an answer cannot be written");
}
