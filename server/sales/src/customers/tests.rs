//! What customers, their addresses and groups promise.
