//! One after another: work that must find what the work before it has written.

use futures_channel::oneshot;
use std::cell::RefCell;
use std::rc::Rc;

/// Who is next. Clones are the same queue.
#[derive(Clone, Default)]
pub(super) struct TurnQueue(Rc<RefCell<Option<oneshot::Receiver<()>>>>);

/// A turn; it ends with this.
pub(super) struct MyTurn(Option<oneshot::Sender<()>>);

impl TurnQueue {
    /// Waits for all turns that were asked for before.
    pub(super) async fn next(self) -> MyTurn {
        let (end, ended) = oneshot::channel();
        let before = self.0.borrow_mut().replace(ended);
        if let Some(before) = before {
            // However it ended.
            let _ = before.await;
        }
        MyTurn(Some(end))
    }
}

impl Drop for MyTurn {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            // Nobody may be waiting.
            let _ = end.send(());
        }
    }
}
