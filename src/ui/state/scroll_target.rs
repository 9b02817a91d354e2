//! Where on a page somebody is led: what lies on the way opens, and what is meant is shown once.

use crate::reading::Way;

/// Where somebody is led.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Led {
    way: Way,
    has_arrived: bool,
}

impl Led {
    /// To where `way` leads.
    pub fn to(way: Way) -> Self {
        Self { way, has_arrived: false }
    }

    /// Whether the way goes through the part `name`.
    pub fn is_through(&self, name: &str) -> bool {
        self.way.through.iter().any(|part| part == name)
    }

    /// Whether it ends at `id`.
    pub fn is_at(&self, id: &str) -> bool {
        self.way.id == id
    }

    /// The row that is meant, where the way ends at `id`.
    pub fn row_of(&self, id: &str) -> Option<u64> {
        self.way.row.filter(|_| self.is_at(id))
    }

    /// Whether `id` is where nobody has arrived yet. What comes into the document again later is not shown again.
    pub fn is_awaited(&self, id: &str) -> bool {
        !self.has_arrived && self.is_at(id)
    }

    /// Somebody has arrived.
    pub fn arrive(&mut self) {
        self.has_arrived = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_way_is_reached_once() {
        let way = Way {
            id: "v-input-0".to_owned(),
            row: Some(7),
            through: vec!["whole".to_owned()],
            spot: String::new(),
        };
        let mut led = Led::to(way.clone());
        assert!(led.is_through("whole") && !led.is_through("who"));
        assert_eq!((led.row_of("v-input-0"), led.row_of("v-input-1")), (Some(7), None));
        assert!(led.is_awaited("v-input-0") && !led.is_awaited("v-input-1"));
        led.arrive();
        assert!(!led.is_awaited("v-input-0") && led.is_at("v-input-0"));
        assert!(
            Led::to(way).is_awaited("v-input-0"),
            "the reader who is led there again arrives again"
        );
    }

    #[test]
    fn nobody_is_led_anywhere_at_first() {
        assert!(!Led::default().is_through(""));
    }
}
