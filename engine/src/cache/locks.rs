//! The locks that the protocol uses, as a trait, so that a model checker can replace them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A family of locks.
pub(super) trait Locks {
    /// A lock around a value.
    type Lock<T: Send>: Lock<T>;
}

/// A mutex around a value, with a condition variable.
pub(super) trait Lock<T> {
    fn new(value: T) -> Self;
    /// Calls `work` with exclusive access to the value.
    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R;
    /// Calls `work` with exclusive access to the value, then wakes all waiting threads.
    fn change<R>(&self, work: impl FnOnce(&mut T) -> R) -> R;
    /// Blocks until `is_busy` returns false; it is called again after each change.
    fn wait_while(&self, is_busy: impl FnMut(&mut T) -> bool);
}

/// The locks of the standard library.
#[derive(Debug)]
pub(super) struct Real;

impl Locks for Real {
    type Lock<T: Send> = RealLock<T>;
}

/// A mutex and its condition variable.
#[derive(Debug)]
pub(super) struct RealLock<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> RealLock<T> {
    // A poisoned lock still has a consistent value, because no call that changes it panics halfway.
    fn held(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Lock<T> for RealLock<T> {
    fn new(value: T) -> Self {
        Self { value: Mutex::new(value), changed: Condvar::new() }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.held())
    }

    fn change<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let done = work(&mut self.held());
        self.changed.notify_all();
        done
    }

    fn wait_while(&self, is_busy: impl FnMut(&mut T) -> bool) {
        let held = self.changed.wait_while(self.held(), is_busy);
        drop(held.unwrap_or_else(PoisonError::into_inner));
    }
}
