//! Values as people read them.
