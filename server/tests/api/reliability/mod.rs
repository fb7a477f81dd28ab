//! What must hold when things go wrong: killed processes, other processes, hostile input.

mod hostile;
mod kill;
