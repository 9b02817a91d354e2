//! What stands before and after what is looked at: buttons lead there, and the keys j and k.

use crate::report::{CaseAt, Neighbours};

/// Something beside what is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Neighbour {
    /// A case of the table.
    Case(CaseAt),
    /// What has this address.
    Address(String),
}

/// What stands around what is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Around {
    /// Before it.
    pub previous: Option<Neighbour>,
    /// After it.
    pub next: Option<Neighbour>,
}

impl From<&Neighbours> for Around {
    fn from(neighbours: &Neighbours) -> Self {
        let beside = |at: &Option<CaseAt>| at.clone().map(Neighbour::Case);
        Self { previous: beside(&neighbours.previous), next: beside(&neighbours.next) }
    }
}

impl Around {
    /// Of a run: the addresses of the runs before and after.
    pub fn of_run([previous, next]: &[Option<String>; 2]) -> Self {
        let beside = |address: &Option<String>| address.clone().map(Neighbour::Address);
        Self { previous: beside(previous), next: beside(next) }
    }

    /// What `key` leads to: `k` before, `j` after. Nothing for another key, or where nothing stands.
    pub fn by_key(&self, key: &str) -> Option<Neighbour> {
        match key {
            "j" => self.next.clone(),
            "k" => self.previous.clone(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j_goes_on_and_k_goes_back() {
        let around = Around::of_run(&[Some("#/a".to_owned()), None]);
        assert_eq!(around.by_key("k"), Some(Neighbour::Address("#/a".to_owned())));
        assert_eq!(around.by_key("j"), None);
        assert_eq!(around.by_key("x"), None);
    }
}
