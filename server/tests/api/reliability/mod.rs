//! Reliability: killed processes, power failures, full or failing disks, other processes, slow clients and hostile input; and no
//! request costs more as the store grows.

mod busy;
mod clients;
mod faults;
mod figures;
mod hostile;
mod kill;
mod lists;
mod news;
mod power;
pub(crate) mod process;
mod shapes;
mod slow;
