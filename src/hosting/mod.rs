//! What the address names with `?src=`: files of results, lists of such files, galleries; and what a sealed
//! report says of itself. Fetching goes through [`Host`], so that all of it can be tested without a browser.

mod dataset;
mod gallery;
mod place;
mod refusal;
mod remote;
mod said;
mod session;
mod signature;

pub use gallery::{Gallery, GalleryGroup, GalleryItem, gallery_of};
pub use place::{Resolve, WebAddress, allowed, link_to, paths};
pub use refusal::{Refusal, RefusalKind, Refused};
pub use remote::RemoteFile;
pub use said::{Action, HostingPage, LinkSection, ResultLink};
pub use session::{FetchLimits, FoundResults, Headers, Host, HostAnswer, Session};
pub use signature::Signature;

#[cfg(test)]
mod tests;
