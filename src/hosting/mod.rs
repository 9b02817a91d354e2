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

pub use gallery::{Gallery, Group, Item, gallery_of};
pub use place::{Place, Resolve, allowed, link_to, paths};
pub use refusal::{Kind, Refusal, Refused};
pub use remote::RemoteFile;
pub use said::{Action, Entry, Said, Section};
pub use session::{Answer, Found, Headers, Host, Limits, Session};
pub use signature::Signature;

#[cfg(test)]
mod tests;
