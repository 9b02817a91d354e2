//! What Leptos's server functions need of `wasm-streams` to compile, without what it exports.
//!
//! The real crate puts three JavaScript classes and their code into every program that links it,
//! called or not: 4 KB of the page's 250. Evalglass has no server and calls no server function, so
//! nothing here is ever called.

use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::JsValue;

/// A stream of the browser.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

/// A stream that has ended.
#[derive(Debug)]
pub struct Ended;

impl ReadableStream {
    /// A stream of the browser, as it is.
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// The browser's own stream.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// A stream of the browser that gives out what `_stream` does: here, one that nobody fills.
    pub fn from_stream<S>(_stream: S) -> Self
    where
        S: Stream<Item = Result<JsValue, JsValue>> + 'static,
    {
        Self(wasm_bindgen::JsCast::unchecked_into(JsValue::UNDEFINED))
    }

    /// What the stream gives out: here, nothing.
    pub fn into_stream(self) -> Ended {
        Ended
    }
}

impl Stream for Ended {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}
