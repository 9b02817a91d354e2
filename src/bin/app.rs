//! The page's program: draws.

fn main() {
    #[cfg(target_arch = "wasm32")]
    {
        evalglass::browser::keep_panics();
        evalglass::ui::mount();
    }
}
