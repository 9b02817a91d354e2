//! How much memory is held at once: an allocator that counts for each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread holds; negative where it frees what another one has allocated.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// The most it held since the last measurement began.
    static MOST: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Counts `n_bytes` more, or fewer. A thread that is ending counts no more.
fn count(n_bytes: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + n_bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// Sizes of layouts are never above `isize::MAX`.
#[allow(
    unsafe_code,
    reason = "an allocator cannot be written without; everything is passed on to that of the system"
)]
// SAFETY: every call is passed on unchanged to the allocator of the system, which keeps the contract; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

/// The most bytes that `work` held at once on this thread, beyond what was held before.
pub fn peak_bytes(work: impl FnOnce()) -> usize {
    let before = HELD.get();
    MOST.set(before);
    work();
    usize::try_from(MOST.get() - before).unwrap_or(0)
}
