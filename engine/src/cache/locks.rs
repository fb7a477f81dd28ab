//! The locks that the protocol uses, as a trait, so that a model checker can replace them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A kind of locks.
pub(super) trait Locks {
    /// A lock around a value.
    type Lock<T: Send>: Lock<T>;
}

/// A value that one thread has at a time, and that others can wait for.
pub(super) trait Lock<T> {
    fn new(value: T) -> Self;
    /// Works on the value alone.
    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R;
    /// Works on the value, then wakes the threads that wait for it.
    fn change<R>(&self, work: impl FnOnce(&mut T) -> R) -> R;
    /// Waits until changes have made this false.
    fn wait_while(&self, is_busy: impl FnMut(&mut T) -> bool);
}

/// The locks of the standard library.
#[derive(Debug)]
pub(super) struct Real;

impl Locks for Real {
    type Lock<T: Send> = RealLock<T>;
}

/// A value with its lock.
#[derive(Debug)]
pub(super) struct RealLock<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> RealLock<T> {
    // A thread that panicked while it held the lock has left whole values behind: each is changed
    // by calls that do not panic.
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
