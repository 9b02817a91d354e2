//! Values that follow from something, kept by their type until it changes.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// One value of each type, so that the one who works something out owns its type, and what it follows from need
/// not know it.
#[derive(Default)]
pub(crate) struct Derived(RefCell<Vec<Rc<dyn Any>>>);

impl Derived {
    /// The value of this type, worked out by `make` when there is none.
    pub(crate) fn get_or<T: Any>(&self, make: impl FnOnce() -> T) -> Rc<T> {
        self.get().unwrap_or_else(|| self.put(make()))
    }

    /// The value of this type.
    pub(crate) fn get<T: Any>(&self) -> Option<Rc<T>> {
        self.0.borrow().iter().find_map(|value| Rc::clone(value).downcast().ok())
    }

    /// Keeps `value` in the place of the one of its type.
    pub(crate) fn put<T: Any>(&self, value: T) -> Rc<T> {
        let value = Rc::new(value);
        let mut values = self.0.borrow_mut();
        values.retain(|known| !known.is::<T>());
        values.push(Rc::<T>::clone(&value));
        value
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use super::Derived;

    #[test]
    fn one_value_of_each_type_is_kept_until_it_is_forgotten() {
        let derived = Derived::default();
        assert_eq!(*derived.get_or(|| 1_u32), 1);
        assert_eq!(*derived.get_or(|| 2_u32), 1);
        // Working one out may need another.
        assert_eq!(*derived.get_or(|| format!("{}", derived.get_or(|| 7_u8))), "7");
        derived.put(3_u32);
        assert_eq!(derived.get::<u32>().as_deref(), Some(&3));
        derived.clear();
        assert_eq!(derived.get::<u32>(), None);
    }
}
