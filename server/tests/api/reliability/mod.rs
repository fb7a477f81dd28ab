//! What must hold when things go wrong: killed processes, disks that are full or fail, other processes, slow
//! clients, hostile input; and that no request costs more as the store grows.

mod busy;
mod clients;
mod faults;
mod figures;
mod hostile;
mod kill;
mod lists;
mod news;
mod process;
mod slow;
