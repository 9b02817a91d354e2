//! Work in turns, for a program that has one thread and must not wait in it: a worker of a browser hears of bytes that have come only
//! between two turns.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;

/// Rounds without news after which a turn ends: a task that lets others go first is up again in the second.
const MAX_QUIET: u32 = 2;

/// A runtime for turns.
///
/// # Errors
/// When it cannot be made.
pub fn runtime() -> std::io::Result<Runtime> {
    // All that can run is run before the work is looked at again; what comes from outside comes between turns.
    Builder::new_current_thread().event_interval(u32::MAX).build()
}

/// Something that is worked on.
pub struct Work<T> {
    future: Pin<Box<dyn Future<Output = T>>>,
    news: Arc<News>,
}

/// Whether the work itself can go on.
struct News(AtomicBool);

impl Wake for News {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<T> Work<T> {
    /// Work that is done when `future` is.
    pub fn new(future: impl Future<Output = T> + 'static) -> Self {
        Self { future: Box::pin(future), news: Arc::new(News(AtomicBool::new(true))) }
    }

    /// Does what can be done now, the tasks of `runtime` included, and does not wait.
    pub fn turn(&mut self, runtime: &Runtime) -> Poll<T> {
        let waker = Waker::from(Arc::clone(&self.news));
        runtime.block_on(async {
            let mut n_quiet = 0;
            while n_quiet < MAX_QUIET {
                if self.news.0.swap(false, Ordering::Relaxed) {
                    n_quiet = 0;
                    let done = self.future.as_mut().poll(&mut Context::from_waker(&waker));
                    if done.is_ready() {
                        return done;
                    }
                } else {
                    n_quiet += 1;
                }
                yield_now().await;
            }
            Poll::Pending
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::channel::oneshot;

    #[test]
    fn a_turn_ends_when_all_wait_and_the_next_one_goes_on_where_they_were() {
        let runtime = runtime().unwrap();
        let (senders, receivers): (Vec<_>, Vec<_>) =
            (0..3).map(|_| oneshot::channel::<u32>()).unzip();
        let mut work = Work::new(async {
            let tasks = receivers.into_iter().map(|one| {
                tokio::spawn(async {
                    yield_now().await;
                    one.await.unwrap()
                })
            });
            let mut sum = 0;
            for task in tasks.collect::<Vec<_>>() {
                sum += task.await.unwrap();
            }
            sum
        });
        for (idx, sender) in (0..).zip(senders) {
            assert_eq!(work.turn(&runtime), Poll::Pending);
            sender.send(10 + idx).unwrap();
        }
        assert_eq!(work.turn(&runtime), Poll::Ready(33));
    }

    #[test]
    fn work_without_waiting_takes_one_turn() {
        let runtime = runtime().unwrap();
        let mut work = Work::new(async {
            let tasks = (0..100).map(|n| {
                tokio::spawn(async move {
                    for _ in 0..n {
                        yield_now().await;
                    }
                    n
                })
            });
            let mut sum = 0;
            for task in tasks.collect::<Vec<_>>() {
                sum += task.await.unwrap();
            }
            sum
        });
        let mut n_turns = 0;
        let sum = loop {
            n_turns += 1;
            if let Poll::Ready(sum) = work.turn(&runtime) {
                break sum;
            }
        };
        assert_eq!(sum, 4950);
        assert!(n_turns <= 50, "{n_turns}");
    }
}
