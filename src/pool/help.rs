//! Help with a large file or many files, as a reader asks for it: others read stretches, and what they know of them
//! reaches the reader as it comes, in their order.

use super::job::{ReaderMessage, WorkspaceLine};
use super::message::PoolMessage;
use crate::input::{self, ErrorKind};
use crate::model::SourceId;
use crate::model::word::{self, Word};
use crate::readers::{self, Answers, Error, StretchRead, from_bytes, to_bytes};
use arrow_array::RecordBatch;
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use serde_bytes::{ByteBuf, Bytes};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Stretches of a bundle to be read by others.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Help {
    /// Its number among those that the job asks for.
    pub number: u32,
    /// Whose it is.
    #[serde(with = "word")]
    pub reader: Word,
    /// The stretches.
    pub stretches: Vec<StretchSaid>,
}

/// A stretch, as a reader asks for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StretchSaid {
    /// The files in which it lies.
    pub files: Vec<SourceId>,
    /// What is to be known of it.
    pub asked: ByteBuf,
}

/// For whom a stretch is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct For {
    /// The job that waits for it.
    pub job: u32,
    /// The help of that job.
    pub help: u32,
    /// The stretch of that help.
    pub nth: u32,
}

/// The number of a stretch, and what was said of it.
type Come = (u32, PoolMessage);

/// What a reader waits for: the help that one job has asked for.
#[derive(Default)]
pub struct HelpWait {
    n_helps: Cell<u32>,
    /// Where the answers to a help go, by its number.
    senders: RefCell<HashMap<u32, UnboundedSender<Come>>>,
}

impl HelpWait {
    /// Asks over `line` for what `help` makes of the number that it gets, and waits for `n` answers.
    pub fn ask(
        &self,
        line: &Rc<dyn WorkspaceLine>,
        n: u32,
        help: impl FnOnce(u32) -> Help,
    ) -> Answers<'static> {
        let number = self.n_helps.replace(self.n_helps.get() + 1);
        let (sender, receiver) = unbounded();
        self.senders.borrow_mut().insert(number, sender);
        line.say(&ReaderMessage::Help(help(number)));
        in_order(receiver, n, Rc::clone(line))
    }

    /// What somebody said last of stretch `nth` of a help: a [`ReaderMessage`].
    pub fn take(&self, help: u32, nth: u32, said: PoolMessage) {
        if let Some(sender) = self.senders.borrow().get(&help) {
            // Nobody may be waiting any more.
            let _ = sender.unbounded_send((nth, said));
        }
    }
}

/// The `n` answers that come over `receiver`, in the order of their numbers.
fn in_order(
    receiver: UnboundedReceiver<Come>,
    n: u32,
    line: Rc<dyn WorkspaceLine>,
) -> Answers<'static> {
    let start = (receiver, BTreeMap::new(), 0);
    let answers = stream::unfold(start, move |(mut receiver, mut early, next)| {
        let line = Rc::clone(&line);
        async move {
            if next == n {
                return None;
            }
            let said = loop {
                if let Some(said) = early.remove(&next) {
                    break Some(said);
                }
                let come = match receiver.next().now_or_never() {
                    Some(come) => come,
                    None => {
                        line.waits(true);
                        let come = receiver.next().await;
                        line.waits(false);
                        come
                    }
                };
                let Some((nth, said)) = come else { break None };
                early.insert(nth, said);
            };
            let answer = said.map_or_else(|| Err(Error::new(readers::ErrorKind::Gone)), answer);
            Some((answer, (receiver, early, next + 1)))
        }
    });
    answers.boxed_local()
}

/// What is said last of a stretch: a [`ReaderMessage`] of which `B`, its bytes, may stay where they lie. Neither who answers
/// nor who asks has to know all that a reader may say.
#[derive(Serialize, Deserialize)]
enum StretchAnswer<B> {
    Stretch(Result<B, Error>),
    Misread(String),
}

/// The message that carries `answer`.
pub(super) fn message_of(answer: Result<StretchRead, Error>) -> PoolMessage {
    let (answer, tables) = apart(answer);
    // One that cannot be written is read as what it is: no message.
    let body = to_bytes(&StretchAnswer::Stretch(answer)).unwrap_or_default();
    PoolMessage { body, tables, ..PoolMessage::default() }
}

/// What is known of a stretch, as it is said; and the tables that travel beside it.
pub(super) fn apart(
    answer: Result<StretchRead, Error>,
) -> (Result<ByteBuf, Error>, Vec<RecordBatch>) {
    match answer {
        Ok(StretchRead { said, tables }) => (Ok(ByteBuf::from(said)), tables),
        Err(err) => (Err(err), Vec::new()),
    }
}

/// The answer that a message carries.
fn answer(PoolMessage { body: mut said, tables, .. }: PoolMessage) -> Result<StretchRead, Error> {
    let n_bytes = match from_bytes::<StretchAnswer<&Bytes>>(&said) {
        Ok(StretchAnswer::Stretch(answer)) => answer?.len(),
        Ok(StretchAnswer::Misread(reason)) => return Err(stopped(reason).into()),
        Err(err) => return Err(stopped(err.to_string()).into()),
    };
    // It is the last that the message says.
    said.drain(..said.len().saturating_sub(n_bytes));
    Ok(StretchRead { said, tables })
}

/// Who read a stretch has stopped.
pub(super) fn stopped(reason: String) -> input::Error {
    input::Error::new(ErrorKind::Stopped { doing: "reading a part of", reason }, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Silent(RefCell<Vec<bool>>);

    impl WorkspaceLine for Silent {
        fn say(&self, _said: &ReaderMessage) {}

        fn waits(&self, is_waiting: bool) {
            self.0.borrow_mut().push(is_waiting);
        }
    }

    fn said(answer: Result<&[u8], Error>) -> PoolMessage {
        let body = to_bytes(&ReaderMessage::Stretch(answer.map(ByteBuf::from))).unwrap();
        PoolMessage { body, ..PoolMessage::default() }
    }

    #[test]
    fn answers_come_in_their_order_not_in_that_of_arrival() {
        let own = Rc::new(Silent(RefCell::default()));
        let line: Rc<dyn WorkspaceLine> = Rc::<Silent>::clone(&own);
        let waiting = HelpWait::default();
        let ask =
            |n| waiting.ask(&line, n, |number| Help { number, reader: "x", stretches: Vec::new() });
        let (mut first, second) = (ask(3), ask(1));
        waiting.take(1, 0, said(Ok(b"other")));
        waiting.take(0, 2, said(Ok(b"c")));
        assert!(first.next().now_or_never().is_none());
        waiting.take(0, 0, said(Ok(b"")));
        waiting.take(0, 1, said(Ok(&[7; 70_000])));
        let all = pollster::block_on(first.collect::<Vec<_>>());
        let all: Vec<Vec<u8>> = all
            .into_iter()
            .map(|answer| answer.map(|read| read.said))
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(all, [b"".to_vec(), vec![7; 70_000], b"c".to_vec()]);
        let other = pollster::block_on(second.collect::<Vec<_>>());
        assert_eq!(other[0].as_ref().unwrap().said, b"other");
        assert!(own.0.borrow().starts_with(&[true]));
    }

    #[test]
    fn an_error_and_a_helper_that_is_gone_are_answers_too() {
        let line: Rc<dyn WorkspaceLine> = Rc::new(Silent(RefCell::default()));
        let waiting = HelpWait::default();
        let answers =
            waiting.ask(&line, 2, |number| Help { number, reader: "x", stretches: Vec::new() });
        waiting.take(0, 0, said(Err(stopped("a test".to_owned()).into())));
        let no_message = PoolMessage { body: b"no message".to_vec(), ..PoolMessage::default() };
        waiting.take(0, 1, no_message);
        let all = pollster::block_on(answers.collect::<Vec<_>>());
        assert!(all.iter().all(|answer| matches!(answer, Err(err) if !err.is_cancelled())));
        assert_eq!(all.len(), 2);
    }
}
